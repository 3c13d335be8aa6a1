import type { ErrorCode } from '../errors/catalogue.ts';
import { type Endpoint, endpointMachine } from './endpoint.ts';
import { ENDPOINT_EVENTS } from './endpoint-event.ts';
import type { IdPrefix } from './id.ts';
import type { AnyMachine } from './machine.ts';
import { PAYMENT_EVENTS, type Payment, paymentMachine } from './payment.ts';
import { linkMachine, PAYMENT_LINK_EVENTS, type PaymentLink } from './payment-link.ts';
import { PAYOUT_EVENTS, type Payout, payoutMachine } from './payout.ts';
import { REFUND_EVENTS, type Refund, refundMachine } from './refund.ts';
import { SETTLEMENT_EVENTS, type Settlement } from './settlement.ts';

/** Everything in a world that has an id, a number, a list, and a life that events report. */
interface Numbered {
  readonly payment: Payment;
  readonly refund: Refund;
  readonly paymentLink: PaymentLink;
  readonly payout: Payout;
  readonly settlement: Settlement;
}
export type ResourceName = keyof Numbered;

/** And a webhook endpoint, which has a slot instead of a number. */
interface Entities extends Numbered {
  readonly webhookEndpoint: Endpoint;
}
export type ReportedName = keyof Entities;
export type EntityOf<Name extends ReportedName> = Entities[Name];

type Filters<Entity> = Readonly<Record<string, (entity: Entity) => string | null>>;

/** One kind of resource as data: ids, keys, numbers, lists, purges and reports are made by loops over these rows. */
interface Row<Entity> {
  /** Prefix of its ids. */
  readonly prefix: IdPrefix;
  /** First letter of its numbers; null if it has none. */
  readonly letter: string | null;
  /** Its name in reports. */
  readonly plural: string;
  /** Its statuses, and what leads from one to another; null if its status never changes. */
  readonly machine: AnyMachine | null;
  /** Its event types, in the order in which documents show them. */
  readonly events: readonly string[];
  /** The error code for an id that does not exist. */
  readonly missing: ErrorCode;
  /** The filters of its list: the value to compare with the requested one. */
  readonly filters: Filters<Entity>;
  /** Those that compare the beginning of the value. */
  readonly prefixFilters?: Filters<Entity>;
}

/**
 * THE TABLE OF RESOURCES. To add one: a row and its entity here, its rules in a file of this folder, and what the README
 * of the house lists under "Where a change belongs".
 */
export const RESOURCES = {
  payment: {
    prefix: 'pay',
    letter: 'P',
    plural: 'payments',
    machine: paymentMachine,
    events: PAYMENT_EVENTS,
    missing: 'payment_not_found',
    filters: {
      status: ({ status }) => status,
      method: ({ method }) => method,
      reference: ({ reference }) => reference,
      number: ({ number }) => number,
      amountMinor: ({ amount }) => String(amount.minor),
      customerEmail: ({ customer }) => customer.email?.toLowerCase() ?? null,
    },
    prefixFilters: { referencePrefix: ({ reference }) => reference },
  },
  refund: {
    prefix: 'ref',
    letter: 'R',
    plural: 'refunds',
    machine: refundMachine,
    events: REFUND_EVENTS,
    missing: 'refund_not_found',
    filters: { status: ({ status }) => status, paymentId: ({ paymentId }) => paymentId },
  },
  paymentLink: {
    prefix: 'lnk',
    letter: 'L',
    plural: 'payment_links',
    machine: linkMachine,
    events: PAYMENT_LINK_EVENTS,
    missing: 'payment_link_not_found',
    filters: { status: ({ status }) => status },
  },
  payout: {
    prefix: 'pot',
    letter: 'O',
    plural: 'payouts',
    machine: payoutMachine,
    events: PAYOUT_EVENTS,
    missing: 'payout_not_found',
    filters: { status: ({ status }) => status },
  },
  settlement: {
    prefix: 'stl',
    letter: 'S',
    plural: 'settlements',
    machine: null,
    events: SETTLEMENT_EVENTS,
    missing: 'settlement_not_found',
    filters: {
      status: ({ status }) => status,
      provider: ({ provider }) => provider,
      valueDate: ({ valueDate }) => valueDate,
    },
  },
  webhookEndpoint: {
    prefix: 'whe',
    letter: null,
    plural: 'webhook_endpoints',
    machine: endpointMachine,
    events: ENDPOINT_EVENTS,
    missing: 'webhook_endpoint_not_found',
    filters: {},
  },
} as const satisfies Table;
type Table = { readonly [Name in ReportedName]: Row<EntityOf<Name>> };

/** The filters of a list that compare a whole value, by name. */
export function filtersOf<Name extends ResourceName>(name: Name): Table[Name]['filters'] {
  return (RESOURCES as Table)[name].filters;
}

/** Whether an entity has what a filter of its list asks for. */
export function matchesFilter<Name extends ResourceName>(
  name: Name,
  filter: string,
  wanted: string,
  entity: EntityOf<Name>,
): boolean {
  const { filters, prefixFilters }: Table[Name] = (RESOURCES as Table)[name];
  return (
    filters[filter]?.(entity) === wanted || (prefixFilters?.[filter]?.(entity)?.startsWith(wanted) ?? false)
  );
}

type Rows = typeof RESOURCES;
type CommandOf<M> = M extends AnyMachine ? keyof M[keyof M] : never;
/** The commands of a resource's machine. */
export type CommandNameOf<Name extends ReportedName> = CommandOf<Rows[Name]['machine']>;
/** The event types of a resource (contract §10). */
export type EventTypeOf<Name extends ReportedName> = Rows[Name]['events'][number];
export type EventType = EventTypeOf<ReportedName>;
/** The filters of a list. An operation that declares any other filter does not compile. */
export type FilterOf<Name extends ResourceName> =
  | keyof Rows[Name]['filters']
  | (Rows[Name] extends { readonly prefixFilters: infer Prefixes } ? keyof Prefixes : never);

export const REPORTED_NAMES = Object.keys(RESOURCES) as ReportedName[];
export const RESOURCE_NAMES = REPORTED_NAMES.filter(
  (name): name is ResourceName => RESOURCES[name].letter !== null,
);
export const EVENT_TYPES = REPORTED_NAMES.flatMap((name): readonly EventType[] => RESOURCES[name].events);

/** One value for each kind of resource, such as how many numbers were assigned. */
export type PerResource<Value> = Readonly<Record<ResourceName, Value>>;

export function perResource<Value>(of: (name: ResourceName) => Value): PerResource<Value> {
  return Object.fromEntries(RESOURCE_NAMES.map((name) => [name, of(name)])) as PerResource<Value>;
}

/** Counts as they are stored: an earlier version knew fewer kinds. */
export function countsAsStored(stored: Partial<PerResource<number>>): PerResource<number> {
  return perResource((name) => stored[name] ?? 0);
}

/** One value for each kind of resource under its name in reports (`plural`), in the order of the table. */
export function byPlural<Value>(values: PerResource<Value>) {
  const entries = RESOURCE_NAMES.map((name) => [RESOURCES[name].plural, values[name]]);
  return Object.fromEntries(entries) as Record<Rows[ResourceName]['plural'], Value>;
}
