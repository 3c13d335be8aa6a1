import { eventDocs } from './events.docs.ts';
import { fieldDocs } from './fields.docs.ts';
import { keyDocs } from './keys.docs.ts';
import type { Operation } from './operation.ts';
import type { operations } from './operations.ts';
import { payerPageDocs } from './payer-pages.docs.ts';
import { paymentLinkDocs } from './payment-links.docs.ts';
import { paymentDocs } from './payments.docs.ts';
import { payoutDocs } from './payouts.docs.ts';
import { providerNotificationDocs } from './provider-notifications.docs.ts';
import { refundDocs } from './refunds.docs.ts';
import { reportDocs } from './reports.docs.ts';
import { servicePageDocs } from './service-pages.docs.ts';
import { settlementDocs } from './settlements.docs.ts';
import { clockDocs } from './testkit/clock.docs.ts';
import { purgeDocs } from './testkit/purging.docs.ts';
import { requestLogDocs } from './testkit/request-log.docs.ts';
import { seedDocs } from './testkit/seeding.docs.ts';
import { simulationDocs } from './testkit/simulations.docs.ts';
import { sinkDocs } from './testkit/sinks.docs.ts';
import { webhookEndpointDocs } from './webhook-endpoints.docs.ts';

/** One line, and what else a caller should know. */
type OperationText = readonly [summary: string, description: string];
/** Of a schema: what it is (`about`), and what its fields mean: unit, default, and when they are null. */
type SchemaText = Readonly<Record<string, string>>;

/**
 * The words of the OpenAPI document, beside the rows and schemas of each page, which every function carries, while none
 * but the document needs these: of operations and schemas by name, of queries (`?limit`), of paths (`payments/{id}`), and of event types (`payment.created`).
 * An operation without words does not compile, and a test finds everything else without words, and words of nothing.
 */
export const DOCS: Readonly<Record<keyof typeof operations, OperationText>> &
  Readonly<Record<string, OperationText | SchemaText | string>> = {
  ...fieldDocs,
  ...paymentDocs,
  ...refundDocs,
  ...paymentLinkDocs,
  ...payoutDocs,
  ...settlementDocs,
  ...reportDocs,
  ...eventDocs,
  ...webhookEndpointDocs,
  ...keyDocs,
  ...simulationDocs,
  ...sinkDocs,
  ...clockDocs,
  ...seedDocs,
  ...purgeDocs,
  ...requestLogDocs,
  ...payerPageDocs,
  ...providerNotificationDocs,
  ...servicePageDocs,
};

/** What an operation does. */
export function docsOf({ id }: Pick<Operation, 'id'>) {
  const name = id.slice(id.indexOf('.') + 1);
  const [summary = '', description] = [DOCS[name.charAt(0).toLowerCase() + name.slice(1)]].flat() as string[];
  return { summary, description };
}

/** What a schema is, or what one of its fields means; undefined where nobody has said it. */
export function textOf(schema: string, field = 'about'): string | undefined {
  const places = [schema, ...(schema.endsWith('Page') ? ['Page'] : []), '*'];
  return places
    .map((place) => (DOCS[place] as SchemaText | undefined)?.[field])
    .find((text) => text !== undefined);
}

/** What a parameter of a query means. */
export function queryText(name: string): string | undefined {
  return DOCS[`?${name}`] as string | undefined;
}

/** When an event occurs, and what to do about it; undefined where nobody has said it. */
export function eventText(type: string): string | undefined {
  return DOCS[type] as string | undefined;
}

/** What a parameter of a path means: `{id}` of `/api/v1/payments/{id}` is that of a payment. */
export function pathText(path: string, name: string): string | undefined {
  const [place = ''] = path.match(new RegExp(`[^/]+/\\{${name}\\}`)) ?? [];
  return DOCS[place] as string | undefined;
}
