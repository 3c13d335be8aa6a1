import type { EventType } from '../domain/resource.ts';
import { eventDocs } from './events.docs.ts';
import { fieldDocs } from './fields.docs.ts';
import { keyDocs } from './keys.docs.ts';
import type { Operation } from './operation.ts';
import type { operations } from './operations.ts';
import { payerPageDocs } from './payer-pages.docs.ts';
import { paymentLinkDocs, paymentLinkEventExamples } from './payment-links.docs.ts';
import { paymentDocs, paymentEventExamples } from './payments.docs.ts';
import { payoutDocs, payoutEventExamples } from './payouts.docs.ts';
import { providerNotificationDocs } from './provider-notifications.docs.ts';
import { refundDocs, refundEventExamples } from './refunds.docs.ts';
import type { ReportedResource } from './reported-resource.ts';
import { reportDocs } from './reports.docs.ts';
import { servicePageDocs } from './service-pages.docs.ts';
import { settlementDocs, settlementEventExamples } from './settlements.docs.ts';
import { clockDocs } from './testkit/clock.docs.ts';
import { purgeDocs } from './testkit/purging.docs.ts';
import { requestLogDocs } from './testkit/request-log.docs.ts';
import { schemaPageDocs } from './testkit/schema-pages.docs.ts';
import { seedDocs } from './testkit/seeding.docs.ts';
import { simulationDocs } from './testkit/simulations.docs.ts';
import { sinkDocs } from './testkit/sinks.docs.ts';
import { worldDocs } from './testkit/worlds.docs.ts';
import { webhookEndpointDocs, webhookEndpointEventExamples } from './webhook-endpoints.docs.ts';

/** A title of one line, and a description. */
type OperationText = readonly [summary: string, description: string];
/** The description of a schema (`about`) and of its fields: unit, default, and when they are null. */
type SchemaText = Readonly<Record<string, string>>;

/**
 * The texts of the OpenAPI document: of operations and schemas by name, of queries (`?limit`), of paths
 * (`payments/{id}`) and of event types (`payment.created`). They are files of their own because only the document needs
 * them, while every function bundles rows and schemas. An operation without a text does not compile; a test finds other
 * missing texts, and texts that describe nothing.
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
  ...worldDocs,
  ...clockDocs,
  ...seedDocs,
  ...purgeDocs,
  ...requestLogDocs,
  ...payerPageDocs,
  ...providerNotificationDocs,
  ...servicePageDocs,
  ...schemaPageDocs,
};

/** For each type of event, the resource that its example reports. */
export const EVENT_EXAMPLES: Readonly<Record<EventType, ReportedResource>> = {
  ...paymentEventExamples,
  ...refundEventExamples,
  ...paymentLinkEventExamples,
  ...payoutEventExamples,
  ...settlementEventExamples,
  ...webhookEndpointEventExamples,
};

/** The texts of an operation. */
export function docsOf({ id }: Pick<Operation, 'id'>) {
  const name = id.slice(id.indexOf('.') + 1);
  const [summary = '', description] = [DOCS[name.charAt(0).toLowerCase() + name.slice(1)]].flat() as string[];
  return { summary, description };
}

/** The text of a schema or of one of its fields; undefined if there is none. */
export function textOf(schema: string, field = 'about'): string | undefined {
  const keys = [schema, ...(schema.endsWith('Page') ? ['Page'] : []), '*'];
  return keys.map((key) => (DOCS[key] as SchemaText | undefined)?.[field]).find((text) => text !== undefined);
}

/** The text of a query parameter. */
export function queryText(name: string): string | undefined {
  return DOCS[`?${name}`] as string | undefined;
}

/** When an event occurs and what to do about it; undefined if there is no text. */
export function eventText(type: string): string | undefined {
  return DOCS[type] as string | undefined;
}

/** The text of a path parameter, by the segment before it: `payments/{id}`. */
export function pathText(path: string, name: string): string | undefined {
  const [key = ''] = path.match(new RegExp(`[^/]+/\\{${name}\\}`)) ?? [];
  return DOCS[key] as string | undefined;
}
