import type { Delivery } from '../domain/delivery.ts';
import type { IdPrefix } from '../domain/id.ts';
import type { EntityOf, RESOURCES, ReportedName, ResourceName } from '../domain/resource.ts';
import { listTexts } from './list-texts.ts';
import type { ListId, OperationId, RowOf } from './operation-id.ts';
import { addressOf, type Section } from './route.ts';

/** How a value of a list is shown. */
type ColumnKind = 'day' | 'id' | 'money' | 'number' | 'status' | 'text' | 'time';

export interface Column<Field extends string = string> {
  readonly title: string;
  readonly kind: ColumnKind;
  /** The field of the resource; the first of several that is set. */
  readonly fields: readonly Field[];
}

/** What every row of a list has. */
export interface ListedRow {
  readonly id: string;
  readonly number?: string;
}

/** The fields of a row, and within an event the id of its resource. */
type FieldIn<Row> = (keyof Row & string) | (Row extends { readonly data: object } ? 'data.object.id' : never);
type ResourceListId = { [Id in ListId]: RowOf<Id> extends ListedRow ? Id : never }[ListId];

/** A kind of resource that the API lists and retrieves. */
export interface ListedKind {
  /** The resource that it lists; null for events and requests, which are no resources. */
  readonly resource: ResourceName | null;
  /** The first segment of the route of the list: `#/payments`. */
  readonly segment: string;
  readonly title: string;
  /** The section that shows the list. */
  readonly section: Section;
  /** The prefix of the ids. */
  readonly prefix: IdPrefix;
  /** The first letter of the numbers; null if there are none. */
  readonly letter: string | null;
  readonly listId: ResourceListId;
  /** The operation that retrieves one; null: the list is all there is. */
  readonly getId: OperationId | null;
  /** The operation that simulates an outcome of one; none if its outcomes cannot be simulated. */
  readonly simulateId?: OperationId;
  readonly columns: readonly Column[];
  /** Shown where the list is empty. */
  readonly emptyText: string;
  /** What leads from an empty list to what would fill it; none of what people create themselves. */
  readonly begin?: { readonly label: string; readonly address: string };
}

function column<const Field extends string>(
  title: string,
  kind: ColumnKind,
  ...fields: Field[]
): Column<Field> {
  return { title, kind, fields };
}

/** A kind whose columns show what its list has, in a section of its own or in one that shows several lists. */
function listed<const Kind extends ListedKind>(
  kind: Kind & {
    readonly section: Kind['segment'] | 'money';
    readonly columns: readonly Column<FieldIn<RowOf<Kind['listId']>>>[];
  },
): Kind {
  return kind;
}

const { columns: COLUMNS, titles: TITLES, empty: EMPTY, begin: BEGIN } = listTexts;
/** In exports alone: on a page, the row leads there. */
export const ID_COLUMN = column(COLUMNS.id, 'id', 'id');
const AMOUNT = column(COLUMNS.amount, 'money', 'amount');
const STATUS = column(COLUMNS.status, 'status', 'status');
const NUMBER = column(COLUMNS.number, 'number', 'number');
const CREATED = column(COLUMNS.created, 'time', 'created_at');

/** Every list of the dashboard. A resource without one does not compile. */
export const LISTS = {
  payment: listed({
    resource: 'payment',
    segment: 'payments',
    title: TITLES.payments,
    section: 'payments',
    prefix: 'pay',
    letter: 'P',
    listId: 'payments.ListPayments',
    getId: 'payments.GetPayment',
    simulateId: 'testkit.SimulatePayment',
    columns: [
      AMOUNT,
      STATUS,
      column(COLUMNS.paymentMethod, 'number', 'method'),
      NUMBER,
      column(COLUMNS.reference, 'text', 'reference'),
      column(COLUMNS.customer, 'text', 'customer_email', 'customer_name', 'customer_phone'),
      CREATED,
    ],
    emptyText: EMPTY.payments,
  }),
  refund: listed({
    resource: 'refund',
    segment: 'refunds',
    title: TITLES.refunds,
    section: 'refunds',
    prefix: 'ref',
    letter: 'R',
    listId: 'payments.ListRefunds',
    getId: 'payments.GetRefund',
    simulateId: 'testkit.SimulateRefund',
    columns: [AMOUNT, STATUS, NUMBER, column(COLUMNS.payment, 'id', 'payment_id'), CREATED],
    emptyText: EMPTY.refunds,
    begin: { label: BEGIN.paid, address: addressOf(['payments'], { status: 'succeeded' }) },
  }),
  paymentLink: listed({
    resource: 'paymentLink',
    segment: 'links',
    title: TITLES.paymentLinks,
    section: 'links',
    prefix: 'lnk',
    letter: 'L',
    listId: 'checkout.ListPaymentLinks',
    getId: 'checkout.GetPaymentLink',
    columns: [
      AMOUNT,
      STATUS,
      NUMBER,
      column(COLUMNS.description, 'text', 'description'),
      column(COLUMNS.uses, 'text', 'uses'),
      CREATED,
    ],
    emptyText: EMPTY.paymentLinks,
  }),
  settlement: listed({
    resource: 'settlement',
    segment: 'settlements',
    title: TITLES.settlements,
    section: 'money',
    prefix: 'stl',
    letter: 'S',
    listId: 'settlements.ListSettlements',
    getId: 'settlements.GetSettlement',
    columns: [
      column(COLUMNS.expected, 'money', 'expected'),
      column(COLUMNS.stated, 'money', 'stated'),
      STATUS,
      NUMBER,
      column(COLUMNS.day, 'day', 'value_date'),
      column(COLUMNS.provider, 'text', 'provider'),
      column(COLUMNS.payout, 'id', 'payout_id'),
    ],
    emptyText: EMPTY.settlements,
    begin: { label: BEGIN.paid, address: addressOf(['payments'], { status: 'succeeded' }) },
  }),
  payout: listed({
    resource: 'payout',
    segment: 'payouts',
    title: TITLES.payouts,
    section: 'money',
    prefix: 'pot',
    letter: 'O',
    listId: 'payouts.ListPayouts',
    getId: 'payouts.GetPayout',
    simulateId: 'testkit.SimulatePayout',
    columns: [AMOUNT, STATUS, NUMBER, column(COLUMNS.settlement, 'id', 'settlement_id'), CREATED],
    emptyText: EMPTY.payouts,
    begin: { label: BEGIN.settlements, address: addressOf(['settlements']) },
  }),
  event: listed({
    resource: null,
    segment: 'events',
    title: TITLES.events,
    section: 'events',
    prefix: 'evt',
    letter: null,
    listId: 'events.ListEvents',
    getId: 'events.GetEvent',
    columns: [
      column(COLUMNS.eventType, 'text', 'type'),
      column(COLUMNS.sequence, 'text', 'sequence'),
      column(COLUMNS.resource, 'id', 'data.object.id'),
      column(COLUMNS.time, 'time', 'timestamp'),
    ],
    emptyText: EMPTY.events,
    begin: { label: BEGIN.payments, address: addressOf(['payments']) },
  }),
  request: listed({
    resource: null,
    segment: 'requests',
    title: TITLES.requests,
    section: 'requests',
    prefix: 'req',
    letter: null,
    listId: 'testkit.ListRequests',
    getId: null,
    columns: [
      column(COLUMNS.httpMethod, 'number', 'method'),
      column(COLUMNS.path, 'text', 'path'),
      column(COLUMNS.response, 'number', 'status'),
      column(COLUMNS.problem, 'text', 'code'),
      column(COLUMNS.duration, 'number', 'duration_ms'),
      column(COLUMNS.time, 'time', 'at'),
    ],
    emptyText: EMPTY.requests,
    begin: { label: BEGIN.api, address: addressOf(['api']) },
  }),
} satisfies { readonly [Name in ResourceName]: ResourceList<Name> } & Record<'event' | 'request', ListedKind>;
type ResourceList<Name extends ResourceName> = Pick<(typeof RESOURCES)[Name], 'prefix' | 'letter'> & {
  readonly resource: Name;
  readonly section: Section;
};

type Kind = (typeof LISTS)[keyof typeof LISTS];
const KINDS: readonly Kind[] = Object.values(LISTS);
export const LISTED_KINDS: readonly ListedKind[] = KINDS;

/** The kind of what has this id; undefined if no list has it. */
export function kindOfId(id: string): ListedKind | undefined {
  return LISTED_KINDS.find(({ prefix }) => id.startsWith(`${prefix}_`));
}

/** The lists by the first segment of their routes. */
export const LIST_OF_SEGMENT: ReadonlyMap<string, Kind> = new Map(KINDS.map((kind) => [kind.segment, kind]));

/** The operations that retrieve what has a page of its own. */
export type ResourceGetId = NonNullable<Kind['getId']>;

/** The lists that know the ids of a kind, by the prefix of the ids: for the fields of a form. */
export const LIST_OF_PREFIX: Readonly<Record<string, ListId>> = {
  ...Object.fromEntries(KINDS.map(({ prefix, listId }) => [prefix, listId])),
  snk: 'testkit.ListWebhookSinks',
  whe: 'webhooks.ListWebhookEndpoints',
};

/** The operations that list the attempts to deliver to a receiver. */
export type LogId = 'testkit.ListDeliveries' | 'webhooks.ListEndpointDeliveries';

/** The operation that lists the deliveries to a receiver, by the prefix of its id. */
export const LOG_OF_PREFIX: Readonly<Record<string, LogId>> = {
  snk: 'testkit.ListDeliveries',
  whe: 'webhooks.ListEndpointDeliveries',
};

/** The fields whose value is the link of a row, by what the rows are. */
const LINK_FIELDS: ReadonlySet<string> = new Set(['number', 'type', 'path']);

/** The columns that say something of these rows: one that is empty in all of them is left out. */
export function filledColumns(columns: readonly Column[], rows: readonly unknown[]): readonly Column[] {
  return columns.filter((column) => rows.some((row) => columnValue(column, row) !== undefined));
}

/** The column that leads to the resource of a row. */
export function linkColumn(columns: readonly Column[]): Column | undefined {
  return columns.find(({ fields: [field = ''] }) => LINK_FIELDS.has(field)) ?? columns[0];
}

/** The value of a column in a row. */
export function columnValue({ fields }: Column, row: unknown): unknown {
  const values = fields.map((field) =>
    field.split('.').reduce((held, step) => (held as Record<string, unknown> | null)?.[step], row),
  );
  return values.find((value) => value !== null && value !== undefined);
}

/** Good, bad, or still on its way: how a status is coloured. */
type Tone = 'good' | 'bad' | 'open' | 'calm';
const TONES: Readonly<Record<EntityOf<ReportedName>['status'] | Delivery['status'], Tone>> = {
  created: 'calm',
  requires_action: 'open',
  processing: 'open',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'calm',
  expired: 'calm',
  requested: 'open',
  approved: 'open',
  rejected: 'bad',
  active: 'good',
  enabled: 'good',
  disabled: 'calm',
  pending: 'open',
  paid: 'good',
  returned: 'bad',
  matched: 'good',
  mismatched: 'bad',
  delivered: 'good',
  exhausted: 'bad',
};

/** What is no status of a resource, such as that of a response, is calm. */
export function toneOf(status: string): Tone {
  const tones: Readonly<Record<string, Tone | undefined>> = TONES;
  return tones[status] ?? 'calm';
}
