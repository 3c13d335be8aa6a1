import type { ErrorCode } from '../errors/catalogue.ts';
import { ENDPOINT_EVENTS, type EndpointEventType } from './endpoint-event.ts';
import { PAYMENT_EVENTS, type Payment } from './payment.ts';
import { PAYMENT_LINK_EVENTS, type PaymentLink } from './payment-link.ts';
import { PAYOUT_EVENTS, type Payout } from './payout.ts';
import { REFUND_EVENTS, type Refund } from './refund.ts';
import { SETTLEMENT_EVENTS, type Settlement } from './settlement.ts';

/** Everything in a world that has an id, a number, a list, and a life that events report. */
interface Entities {
  readonly payment: Payment;
  readonly refund: Refund;
  readonly paymentLink: PaymentLink;
  readonly payout: Payout;
  readonly settlement: Settlement;
}
export type ResourceName = keyof Entities;
export type EntityOf<Name extends ResourceName> = Entities[Name];

/** One kind of resource as data: ids, keys, numbers, lists, purges and reports are made by loops over these rows. */
interface Row<Entity> {
  /** Prefix of its ids. */
  readonly prefix: string;
  /** First letter of its numbers. */
  readonly letter: string;
  /** Name of its partitions in the table; the partitions of its list add an `S`. */
  readonly partition: string;
  /** Its name in reports. */
  readonly plural: string;
  /** Its event types, in the order in which documents show them. */
  readonly events: readonly string[];
  /** The error code for an id that does not exist. */
  readonly missing: ErrorCode;
  /**
   * Fields that conditions and updates of the store name, besides `version`: each is an attribute of its own, and the
   * entity as a whole is packed.
   */
  readonly live: readonly (keyof Entity)[];
  /** Filters that have a list of their own. */
  readonly by?: Readonly<Record<string, ListBy<Entity>>>;
  /** The other filters: the value to compare with the requested one. */
  readonly filters: Readonly<Record<string, (entity: Entity) => string | null>>;
}

/** A list of the resources that share one value. */
interface ListBy<Entity> {
  readonly partition: string;
  /** The shared value; null for a resource that is in no such list. */
  readonly of: (entity: Entity) => string | null;
  /** Set where the value is free text: keys then hold its hash. */
  readonly isText?: true;
}

/**
 * THE TABLE OF RESOURCES. To add one: a row and its entity here, its rules in a file of this folder, its schemas, view
 * and operations in `contract/`, and its `…_not_found` code in the catalogue of errors.
 */
export const RESOURCES = {
  payment: {
    prefix: 'pay',
    letter: 'P',
    partition: 'PAYMENT',
    plural: 'payments',
    events: PAYMENT_EVENTS,
    missing: 'payment_not_found',
    live: ['status', 'refundedMinor', 'refundableMinor'],
    by: { reference: { partition: 'REFERENCE', of: ({ reference }) => reference, isText: true } },
    filters: { status: ({ status }) => status, method: ({ method }) => method },
  },
  refund: {
    prefix: 'ref',
    letter: 'R',
    partition: 'REFUND',
    plural: 'refunds',
    events: REFUND_EVENTS,
    missing: 'refund_not_found',
    live: [],
    by: { payment_id: { partition: 'REFUNDED', of: ({ paymentId }) => paymentId } },
    filters: { status: ({ status }) => status },
  },
  paymentLink: {
    prefix: 'lnk',
    letter: 'L',
    partition: 'LINK',
    plural: 'payment_links',
    events: PAYMENT_LINK_EVENTS,
    missing: 'payment_link_not_found',
    live: ['status', 'maxUses', 'uses', 'takenUses'],
    filters: { status: ({ status }) => status },
  },
  payout: {
    prefix: 'pot',
    letter: 'O',
    partition: 'PAYOUT',
    plural: 'payouts',
    events: PAYOUT_EVENTS,
    missing: 'payout_not_found',
    live: [],
    filters: { status: ({ status }) => status },
  },
  settlement: {
    prefix: 'stl',
    letter: 'S',
    partition: 'SETTLEMENT',
    plural: 'settlements',
    events: SETTLEMENT_EVENTS,
    missing: 'settlement_not_found',
    live: [],
    filters: {
      status: ({ status }) => status,
      provider: ({ provider }) => provider,
      value_date: ({ valueDate }) => valueDate,
    },
  },
} as const satisfies Table;
type Table = { readonly [Name in ResourceName]: Row<EntityOf<Name>> };

/** A row with the optional fields that the literal type of the table hides. */
export function rowOf<Name extends ResourceName>(name: Name): Table[Name] {
  return (RESOURCES as Table)[name];
}

type Rows = typeof RESOURCES;
export type ResourcePrefix = Rows[ResourceName]['prefix'];
export type ResourcePartition = Rows[ResourceName]['partition'];
/** Partitions of the lists of all resources of one kind. */
export type ListPartition = `${ResourcePartition}S`;
type By<Name extends ResourceName> = Rows[Name] extends { readonly by: infer Lists } ? Lists : object;
export type ByPartition = { [Name in ResourceName]: PartitionIn<By<Name>[keyof By<Name>]> }[ResourceName];
type PartitionIn<List> = List extends { readonly partition: infer Partition extends string }
  ? Partition
  : never;
/** The event types of a resource (contract §10). */
export type EventTypeOf<Name extends ResourceName> = Rows[Name]['events'][number];
export type EventType = EventTypeOf<ResourceName> | EndpointEventType;
/** The filters of a list. An operation that declares any other filter does not compile. */
export type FilterOf<Name extends ResourceName> = keyof By<Name> | keyof Rows[Name]['filters'];

export const RESOURCE_NAMES = Object.keys(RESOURCES) as ResourceName[];
export const EVENT_TYPES: readonly EventType[] = [
  ...RESOURCE_NAMES.flatMap((name): readonly EventType[] => RESOURCES[name].events),
  ...ENDPOINT_EVENTS,
];

/** One value for each kind of resource, such as how many numbers were assigned. */
export type PerResource<Value> = Readonly<Record<ResourceName, Value>>;

export function perResource<Value>(of: (name: ResourceName) => Value): PerResource<Value> {
  return Object.fromEntries(RESOURCE_NAMES.map((name) => [name, of(name)])) as PerResource<Value>;
}

/** Counts under the names of reports (`plural`), in the order of the table. */
export function byPlural(counts: PerResource<number>) {
  const entries = RESOURCE_NAMES.map((name) => [RESOURCES[name].plural, counts[name]]);
  return Object.fromEntries(entries) as Record<Rows[ResourceName]['plural'], number>;
}
