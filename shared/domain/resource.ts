import type { ErrorCode } from '../errors/catalogue.ts';
import { PAYMENT_EVENTS, type Payment } from './payment.ts';
import { PAYMENT_LINK_EVENTS, type PaymentLink } from './payment-link.ts';
import { PAYOUT_EVENTS, type Payout } from './payout.ts';
import type { PublishedEvent } from './published-event.ts';
import { REFUND_EVENTS, type Refund } from './refund.ts';
import { SETTLEMENT_EVENTS, type Settlement } from './settlement.ts';

/** What a merchant's world holds, each with an id and a list: versioned resources, and the events that tell of them. */
interface Entities {
  readonly payment: Payment;
  readonly refund: Refund;
  readonly paymentLink: PaymentLink;
  readonly payout: Payout;
  readonly settlement: Settlement;
  readonly event: PublishedEvent;
}
export type ListedName = keyof Entities;
export type EntityOf<Name extends ListedName> = Entities[Name];
/** Resources are numbered, and change by commands: see `resource-change.ts`. */
export type ResourceName = Exclude<ListedName, 'event'>;

/** One kind of what a world holds as data: ids, keys, numbers, lists, purges and reports are loops over these rows. */
interface Row<Entity> {
  /** What its ids begin with. */
  readonly prefix: string;
  /** What its numbers begin with; null where it has none. */
  readonly letter: string | null;
  /** Its partitions of the table; those of its list are called the same with an `S`. */
  readonly partition: string;
  /** What reports call it. */
  readonly plural: string;
  /** What is told of it, in the order in which documents show it. */
  readonly events: readonly string[];
  /** What is answered where there is none. */
  readonly missing: ErrorCode;
  /** Fields that are stored as text: a map of DynamoDB keeps neither the order of its keys nor every number. */
  readonly text?: readonly (keyof Entity)[];
  /** Filters that have a list of their own. */
  readonly by?: Readonly<Record<string, ListBy<Entity>>>;
  /** The other filters: what is compared with what was asked for. */
  readonly filters: Readonly<Record<string, (entity: Entity) => string | null>>;
}

/** A list of what belongs together. */
interface ListBy<Entity> {
  readonly partition: string;
  /** What they have in common; null for what is in no such list. */
  readonly of: (entity: Entity) => string | null;
  /** Whether that is free text, of which keys hold a hash. */
  readonly isText?: true;
}

/**
 * THE TABLE OF RESOURCES. To add one: a row and its entity here, its rules in a file of this folder, its schemas, view and
 * operations in `contract/`, and the code for what is missing.
 */
export const RESOURCES = {
  payment: {
    prefix: 'pay',
    letter: 'P',
    partition: 'PAYMENT',
    plural: 'payments',
    events: PAYMENT_EVENTS,
    missing: 'payment_not_found',
    text: ['metadata'],
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
    text: ['metadata'],
    filters: { status: ({ status }) => status },
  },
  payout: {
    prefix: 'pot',
    letter: 'O',
    partition: 'PAYOUT',
    plural: 'payouts',
    events: PAYOUT_EVENTS,
    missing: 'payout_not_found',
    filters: { status: ({ status }) => status },
  },
  settlement: {
    prefix: 'stl',
    letter: 'S',
    partition: 'SETTLEMENT',
    plural: 'settlements',
    events: SETTLEMENT_EVENTS,
    missing: 'settlement_not_found',
    filters: {
      status: ({ status }) => status,
      provider: ({ provider }) => provider,
      value_date: ({ valueDate }) => valueDate,
    },
  },
  event: {
    prefix: 'evt',
    letter: null,
    partition: 'EVENT',
    plural: 'events',
    events: [],
    missing: 'event_not_found',
    by: { resource_id: { partition: 'TOLD', of: ({ resourceId }) => resourceId } },
    filters: { type: ({ type }) => type },
  },
} as const satisfies Table;
type Table = { readonly [Name in ListedName]: Row<EntityOf<Name>> };

/** A row with the optional fields that the literal type of the table hides. */
export function rowOf<Name extends ListedName>(name: Name): Table[Name] {
  return (RESOURCES as Table)[name];
}

type Rows = typeof RESOURCES;
export type ListedPrefix = Rows[ListedName]['prefix'];
export type ListedPartition = Rows[ListedName]['partition'];
/** Partitions of lists: of all of a kind, and of those that belong together. */
export type ListPartition = `${ListedPartition}S`;
type By<Name extends ListedName> = Rows[Name] extends { readonly by: infer Lists } ? Lists : object;
export type ByPartition = { [Name in ListedName]: PartitionIn<By<Name>[keyof By<Name>]> }[ListedName];
type PartitionIn<List> = List extends { readonly partition: infer Partition extends string }
  ? Partition
  : never;
/** Everything that can be told (contract §10). */
export type EventTypeOf<Name extends ListedName> = Rows[Name]['events'][number];
export type EventType = EventTypeOf<ListedName>;
/** What a list can be filtered by: what its operation declares beyond these does not compile. */
export type FilterOf<Name extends ListedName> = keyof By<Name> | keyof Rows[Name]['filters'];

export const LISTED_NAMES = Object.keys(RESOURCES) as ListedName[];
export const EVENT_TYPES = LISTED_NAMES.flatMap((name): readonly EventType[] => RESOURCES[name].events);
export const RESOURCE_NAMES = LISTED_NAMES.filter((name): name is ResourceName => name !== 'event');

/** Something of each resource: how many numbers were given out, how many a seed has made. */
export type PerResource<Value> = Readonly<Record<ResourceName, Value>>;

/** Something of everything that is listed. */
export type PerListed<Value> = Readonly<Record<ListedName, Value>>;

export function perResource<Value>(of: (name: ResourceName) => Value): PerResource<Value> {
  return Object.fromEntries(RESOURCE_NAMES.map((name) => [name, of(name)])) as PerResource<Value>;
}

/** Counts as reports name them, in the order of the table. */
export function byPlural<Name extends ListedName>(counts: Readonly<Record<Name, number>>) {
  const names = LISTED_NAMES.filter((name): name is Name => Object.hasOwn(counts, name));
  const entries = names.map((name) => [RESOURCES[name].plural, counts[name]]);
  return Object.fromEntries(entries) as Record<Rows[Name]['plural'], number>;
}
