import type { EventType } from '../domain/resource.ts';
import { eventDocs } from './events.docs.ts';
import type { PING } from './events.ts';
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
import { schemaPageDocs } from './testkit/schema-pages.docs.ts';
import { seedDocs } from './testkit/seeding.docs.ts';
import { simulationDocs } from './testkit/simulations.docs.ts';
import { sinkDocs } from './testkit/sinks.docs.ts';
import { worldDocs } from './testkit/worlds.docs.ts';
import { webhookEndpointDocs } from './webhook-endpoints.docs.ts';

/** A title of one line, and a description. */
type OperationText = readonly [summary: string, description: string];
/** The description of a schema (`about`) and of its fields: unit, default, and when they are null. */
type SchemaText = Readonly<Record<string, string>>;
type TextsOf<Text> = Readonly<Record<string, Text>>;

/**
 * The texts of the OpenAPI document: of operations, schemas and query parameters by name, of paths (`payments/{id}`) and
 * of event types. They are files of their own because only the document needs them, while every function bundles rows
 * and schemas. An operation or an event type without a text does not compile; a test finds other missing texts, and
 * texts that describe nothing.
 */
interface Docs {
  readonly operations: TextsOf<OperationText>;
  readonly schemas: TextsOf<SchemaText>;
  readonly queries: TextsOf<string>;
  readonly paths: TextsOf<string>;
  readonly events: TextsOf<string>;
}

const PAGES = [
  fieldDocs,
  paymentDocs,
  refundDocs,
  paymentLinkDocs,
  payoutDocs,
  settlementDocs,
  reportDocs,
  eventDocs,
  webhookEndpointDocs,
  keyDocs,
  simulationDocs,
  sinkDocs,
  worldDocs,
  clockDocs,
  seedDocs,
  purgeDocs,
  requestLogDocs,
  payerPageDocs,
  providerNotificationDocs,
  servicePageDocs,
  schemaPageDocs,
] as const satisfies readonly Partial<Docs>[];

/** The names to which one of the pages has a text of this kind. */
type NamesOf<Kind extends keyof Docs, Page = (typeof PAGES)[number]> = Page extends {
  readonly [K in Kind]: infer Named;
}
  ? keyof Named
  : never;

function ofAllPages<Kind extends keyof Docs>(
  kind: Kind,
): Readonly<Record<NamesOf<Kind>, Docs[Kind][string]>> {
  return Object.assign({}, ...PAGES.map((page: Partial<Docs>) => page[kind]));
}

export const DOCS: Docs & {
  readonly operations: Readonly<Record<keyof typeof operations, OperationText>>;
  readonly events: Readonly<Record<EventType | typeof PING, string>>;
} = {
  operations: ofAllPages('operations'),
  schemas: ofAllPages('schemas'),
  queries: ofAllPages('queries'),
  paths: ofAllPages('paths'),
  events: ofAllPages('events'),
};

/** The texts of an operation. */
export function docsOf({ id }: Pick<Operation, 'id'>) {
  const name = id.slice(id.indexOf('.') + 1);
  const texts: TextsOf<OperationText> = DOCS.operations;
  const [summary = '', description] = texts[name.charAt(0).toLowerCase() + name.slice(1)] ?? [];
  return { summary, description };
}

/** The text of a schema or of one of its fields; undefined if there is none. */
export function textOf(schema: string, field = 'about'): string | undefined {
  const names = [schema, ...(schema.endsWith('Page') ? ['Page'] : []), '*'];
  return names.map((name) => DOCS.schemas[name]?.[field]).find((text) => text !== undefined);
}

/** The text of a path parameter, by the segment before it: `payments/{id}`. */
export function pathText(path: string, name: string): string | undefined {
  const [segment = ''] = path.match(new RegExp(`[^/]+/\\{${name}\\}`)) ?? [];
  return DOCS.paths[segment];
}
