import type { Delivery } from '../domain/delivery.ts';
import type { IdPrefix } from '../domain/id.ts';
import type { EntityOf, RESOURCES, ReportedName, ResourceName } from '../domain/resource.ts';
import type { ListId, OperationId, RowOf } from './operation-id.ts';
import type { Section } from './route.ts';

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
    readonly section: Kind['segment'] | 'money' | 'webhooks';
    readonly columns: readonly Column<FieldIn<RowOf<Kind['listId']>>>[];
  },
): Kind {
  return kind;
}

const ID = column('Id', 'id', 'id');
const AMOUNT = column('Amount', 'money', 'amount');
const STATUS = column('Status', 'status', 'status');
const NUMBER = column('Number', 'number', 'number');
const CREATED = column('Created', 'time', 'created_at');

/** Every list of the dashboard. A resource without one does not compile. */
export const LISTS = {
  payment: listed({
    segment: 'payments',
    title: 'Payments',
    section: 'payments',
    prefix: 'pay',
    letter: 'P',
    listId: 'payments.ListPayments',
    getId: 'payments.GetPayment',
    simulateId: 'testkit.SimulatePayment',
    columns: [
      AMOUNT,
      STATUS,
      column('Method', 'number', 'method'),
      NUMBER,
      column('Reference', 'text', 'reference'),
      column('Customer', 'text', 'customer_email', 'customer_name', 'customer_phone'),
      CREATED,
      ID,
    ],
    emptyText: 'No payments yet.',
  }),
  refund: listed({
    segment: 'refunds',
    title: 'Refunds',
    section: 'refunds',
    prefix: 'ref',
    letter: 'R',
    listId: 'payments.ListRefunds',
    getId: 'payments.GetRefund',
    simulateId: 'testkit.SimulateRefund',
    columns: [AMOUNT, STATUS, NUMBER, column('Payment', 'id', 'payment_id'), CREATED, ID],
    emptyText: 'No refunds yet.',
  }),
  paymentLink: listed({
    segment: 'links',
    title: 'Payment links',
    section: 'links',
    prefix: 'lnk',
    letter: 'L',
    listId: 'checkout.ListPaymentLinks',
    getId: 'checkout.GetPaymentLink',
    columns: [
      AMOUNT,
      STATUS,
      NUMBER,
      column('Description', 'text', 'description'),
      column('Uses', 'text', 'uses'),
      CREATED,
      ID,
    ],
    emptyText: 'No payment links yet.',
  }),
  settlement: listed({
    segment: 'settlements',
    title: 'Settlements',
    section: 'money',
    prefix: 'stl',
    letter: 'S',
    listId: 'settlements.ListSettlements',
    getId: 'settlements.GetSettlement',
    columns: [
      column('Expected', 'money', 'expected'),
      column('Stated', 'money', 'stated'),
      STATUS,
      NUMBER,
      column('Day', 'day', 'value_date'),
      column('Provider', 'text', 'provider'),
      column('Payout', 'id', 'payout_id'),
      ID,
    ],
    emptyText: 'No settlements yet.',
  }),
  payout: listed({
    segment: 'payouts',
    title: 'Payouts',
    section: 'money',
    prefix: 'pot',
    letter: 'O',
    listId: 'payouts.ListPayouts',
    getId: 'payouts.GetPayout',
    simulateId: 'testkit.SimulatePayout',
    columns: [AMOUNT, STATUS, NUMBER, column('Settlement', 'id', 'settlement_id'), CREATED, ID],
    emptyText: 'No payouts yet.',
  }),
  event: listed({
    segment: 'events',
    title: 'Events',
    section: 'events',
    prefix: 'evt',
    letter: null,
    listId: 'events.ListEvents',
    getId: 'events.GetEvent',
    columns: [
      column('Type', 'text', 'type'),
      column('Sequence', 'text', 'sequence'),
      column('Resource', 'id', 'data.object.id'),
      column('Time', 'time', 'timestamp'),
      ID,
    ],
    emptyText: 'No events yet.',
  }),
  request: listed({
    segment: 'requests',
    title: 'Requests',
    section: 'webhooks',
    prefix: 'req',
    letter: null,
    listId: 'testkit.ListRequests',
    getId: null,
    columns: [
      column('Method', 'number', 'method'),
      column('Path', 'text', 'path'),
      column('Response', 'number', 'status'),
      column('Problem', 'text', 'code'),
      column('Took (ms)', 'number', 'duration_ms'),
      column('Time', 'time', 'at'),
      ID,
    ],
    emptyText: 'No requests in the last seven days.',
  }),
} satisfies { readonly [Name in ResourceName]: ResourceList<Name> } & Record<'event' | 'request', ListedKind>;
/** Only the log of requests is in a section that does not show it. */
type ResourceList<Name extends ResourceName> = Pick<(typeof RESOURCES)[Name], 'prefix' | 'letter'> & {
  readonly section: Exclude<Section, 'webhooks'>;
};

type Kind = (typeof LISTS)[keyof typeof LISTS];
const KINDS: readonly Kind[] = Object.values(LISTS);
export const LISTED_KINDS: readonly ListedKind[] = KINDS;

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
