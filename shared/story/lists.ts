import type { IdPrefix } from '../domain/id.ts';
import type { ListId, OperationId, RowOf } from './operation-id.ts';

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
  /** The prefix of the ids. */
  readonly prefix: IdPrefix;
  readonly listId: ResourceListId;
  /** The operation that retrieves one; null: the list is all there is. */
  readonly getId: OperationId | null;
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

/** A kind whose columns show what its list has. */
function listed<const Kind extends ListedKind>(
  kind: Kind & { readonly columns: readonly Column<FieldIn<RowOf<Kind['listId']>>>[] },
): Kind {
  return kind;
}

const ID = column('Id', 'id', 'id');
const AMOUNT = column('Amount', 'money', 'amount');
const STATUS = column('Status', 'status', 'status');
const NUMBER = column('Number', 'number', 'number');
const CREATED = column('Created', 'time', 'created_at');

/** Every list of the dashboard, by that segment. */
export const LISTS = {
  payments: listed({
    segment: 'payments',
    title: 'Payments',
    prefix: 'pay',
    listId: 'payments.ListPayments',
    getId: 'payments.GetPayment',
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
  refunds: listed({
    segment: 'refunds',
    title: 'Refunds',
    prefix: 'ref',
    listId: 'payments.ListRefunds',
    getId: 'payments.GetRefund',
    columns: [AMOUNT, STATUS, NUMBER, column('Payment', 'id', 'payment_id'), CREATED, ID],
    emptyText: 'No refunds yet.',
  }),
  links: listed({
    segment: 'links',
    title: 'Payment links',
    prefix: 'lnk',
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
  settlements: listed({
    segment: 'settlements',
    title: 'Settlements',
    prefix: 'stl',
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
  payouts: listed({
    segment: 'payouts',
    title: 'Payouts',
    prefix: 'pot',
    listId: 'payouts.ListPayouts',
    getId: 'payouts.GetPayout',
    columns: [AMOUNT, STATUS, NUMBER, column('Settlement', 'id', 'settlement_id'), CREATED, ID],
    emptyText: 'No payouts yet.',
  }),
  events: listed({
    segment: 'events',
    title: 'Events',
    prefix: 'evt',
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
  requests: listed({
    segment: 'requests',
    title: 'Requests',
    prefix: 'req',
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
};

/** The operations that retrieve what has a page of its own. */
export type ResourceGetId = NonNullable<(typeof LISTS)[keyof typeof LISTS]['getId']>;

/** The lists that know the ids of a kind, by the prefix of the ids: for the fields of a form. */
export const LIST_OF_PREFIX: Readonly<Record<string, ListId>> = {
  ...Object.fromEntries(Object.values(LISTS).map(({ prefix, listId }) => [prefix, listId])),
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
export function toneOf(status: string): 'good' | 'bad' | 'open' | 'calm' {
  if (/^(succeeded|paid|matched|active|enabled|delivered)$/.test(status)) {
    return 'good';
  }
  if (/^(failed|rejected|returned|mismatched|exhausted)$/.test(status)) {
    return 'bad';
  }
  return /^(requires_action|processing|pending|requested|approved)$/.test(status) ? 'open' : 'calm';
}
