/** How a value of a list is shown. */
type ColumnKind = 'day' | 'id' | 'money' | 'number' | 'status' | 'text' | 'time';

export interface Column {
  readonly title: string;
  readonly kind: ColumnKind;
  /** The field of the resource; the first of several that is set. */
  readonly fields: readonly string[];
}

/** A kind of resource that the API lists and retrieves. */
export interface ListedKind {
  /** The place of the list: `#/payments`. */
  readonly place: string;
  readonly title: string;
  /** The prefix of the ids. */
  readonly prefix: string;
  readonly listId: string;
  /** The operation that retrieves one; null: the list is all there is. */
  readonly getId: string | null;
  readonly columns: readonly Column[];
  /** Shown where the list is empty. */
  readonly emptyText: string;
}

const column = (title: string, kind: ColumnKind, ...fields: string[]): Column => ({ title, kind, fields });
const ID = column('Id', 'id', 'id');
const AMOUNT = column('Amount', 'money', 'amount');
const STATUS = column('Status', 'status', 'status');
const NUMBER = column('Number', 'number', 'number');
const CREATED = column('Created', 'time', 'created_at');

/** Every list of the dashboard, by its place. */
export const LISTS = {
  payments: {
    place: 'payments',
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
  },
  refunds: {
    place: 'refunds',
    title: 'Refunds',
    prefix: 'ref',
    listId: 'payments.ListRefunds',
    getId: 'payments.GetRefund',
    columns: [AMOUNT, STATUS, NUMBER, column('Payment', 'id', 'payment_id'), CREATED, ID],
    emptyText: 'No refunds yet.',
  },
  links: {
    place: 'links',
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
  },
  settlements: {
    place: 'settlements',
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
  },
  payouts: {
    place: 'payouts',
    title: 'Payouts',
    prefix: 'pot',
    listId: 'payouts.ListPayouts',
    getId: 'payouts.GetPayout',
    columns: [AMOUNT, STATUS, NUMBER, column('Settlement', 'id', 'settlement_id'), CREATED, ID],
    emptyText: 'No payouts yet.',
  },
  events: {
    place: 'events',
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
  },
  requests: {
    place: 'requests',
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
  },
} as const satisfies Record<string, ListedKind>;

/** The lists that know the ids of a kind, by the prefix of the ids: for the fields of a form. */
export const LIST_OF_PREFIX: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(LISTS).map(({ prefix, listId }) => [prefix, listId])),
  snk: 'testkit.ListWebhookSinks',
  whe: 'webhooks.ListWebhookEndpoints',
};

/** The operation that lists the deliveries to a receiver, by the prefix of its id. */
export const LOG_OF_PREFIX: Readonly<Record<string, string>> = {
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
