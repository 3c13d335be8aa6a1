import type { Client } from '../../../shared/client/client.ts';
import type { OperationName } from '../../../shared/client/method.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { PAYMENT_METHODS } from '../../../shared/domain/payment-method.ts';
import { SEED_SCRIPTS } from '../../../shared/domain/testkit/seed-profiles.ts';
import { nearest, UsageError } from '../command.ts';
import { isMeant } from '../confirm.ts';
import { parseDurationSeconds } from '../duration.ts';
import { parseBaht } from './baht.ts';
import { fieldLines, tableLines } from './lines.ts';
import { withProgress } from './progress.ts';
import { deliveryLine, followDeliveries } from './tail.ts';

/** What the command line takes: its value's name in the usage, or null for a switch. */
export const OPTIONS = {
  amount: 'BAHT',
  method: 'METHOD',
  reference: 'TEXT',
  description: 'TEXT',
  status: 'STATUS',
  provider: 'NAME',
  'value-date': 'DAY',
  type: 'TYPE',
  'payment-id': 'ID',
  'resource-id': 'ID',
  limit: 'N',
  after: 'CURSOR',
  all: null,
  delay: 'DURATION',
  'event-id': 'TEXT',
  'result-code': 'TEXT',
  name: 'TEXT',
  'fail-count': 'N',
  'respond-status': 'N',
  data: 'JSON',
  yes: null,
} as const satisfies Record<string, string | null>;
export type Option = keyof typeof OPTIONS;

/** What an option is for, in the usage of the commands that take it. */
export const HINTS: Readonly<Record<Option, string>> = {
  amount: 'baht and satang: 1299.00',
  method: PAYMENT_METHODS.join(', '),
  reference: "the merchant's own number or name for it",
  description: 'what is paid for',
  status: 'those in this status alone',
  provider: 'those of this provider alone',
  'value-date': 'those of this day alone: 2026-11-22',
  type: 'events of this type alone, such as payment.succeeded',
  'payment-id': 'those of this payment alone',
  'resource-id': 'those of this payment, refund, link or payout alone',
  limit: 'how many on a page, 1 to 100',
  after: 'the next page: what "More:" named under the last one',
  all: 'every page, one after another',
  delay: "as late as this by the merchant's clock",
  'event-id': "the provider's number of what it says; said twice with one number, it counts once",
  'result-code': "the provider's reason",
  name: 'what the sink is called',
  'fail-count': 'how many of the next deliveries are answered with a failure',
  'respond-status': 'the HTTP status that is answered, 200 to 599',
  data: 'the fields of the request as one JSON object',
  yes: 'asks nothing',
};

export interface Run {
  readonly client: Client;
  readonly args: readonly string[];
  readonly values: { readonly [Name in Option]?: (typeof OPTIONS)[Name] extends null ? boolean : string };
  readonly json: boolean;
  /** Given to every call that changes something. */
  readonly idempotencyKey: string | undefined;
}

export interface Command {
  /** What follows its words. */
  readonly takes?: string;
  readonly options?: readonly Option[];
  readonly says: string;
  /** What its own usage says beyond that. */
  readonly more?: () => string;
  readonly run: (run: Run) => Promise<void>;
}

/** What can be listed and read: its rows, and the columns of a list. */
const RESOURCES = {
  payments: {
    list: 'listPayments',
    get: 'getPayment',
    columns: ['created_at', 'id', 'number', 'status', 'amount', 'method', 'reference'],
  },
  refunds: {
    list: 'listRefunds',
    get: 'getRefund',
    columns: ['created_at', 'id', 'number', 'status', 'amount', 'payment_id'],
  },
  links: {
    list: 'listPaymentLinks',
    get: 'getPaymentLink',
    columns: ['created_at', 'id', 'number', 'status', 'amount_type', 'amount', 'uses', 'url'],
  },
  payouts: {
    list: 'listPayouts',
    get: 'getPayout',
    columns: ['created_at', 'id', 'number', 'status', 'amount', 'provider'],
  },
  settlements: {
    list: 'listSettlements',
    get: 'getSettlement',
    columns: [
      'created_at',
      'id',
      'number',
      'status',
      'expected',
      'stated',
      'provider',
      'value_date',
      'payout_id',
    ],
  },
  events: {
    list: 'listEvents',
    get: 'getEvent',
    columns: ['timestamp', 'id', 'sequence', 'type'],
  },
  sinks: {
    list: 'listWebhookSinks',
    get: 'getWebhookSink',
    columns: ['created_at', 'id', 'name', 'received_count', 'respond_status', 'fail_count', 'url'],
  },
} as const satisfies Record<string, { list: OperationName; get: OperationName; columns: readonly string[] }>;

type Resource = keyof typeof RESOURCES;

/** The operations of the client: those that take a key. */
const CALLABLE = Object.entries<Operation>(operations)
  .filter(([, { permission }]) => permission !== null)
  .map(([name]) => name);

/** Whose word is simulated, by the kind of its id. */
const SIMULATIONS: Readonly<Record<string, OperationName>> = {
  pay: 'simulatePayment',
  ref: 'simulateRefund',
  pot: 'simulatePayout',
};

const reads = Object.keys(RESOURCES).flatMap((name): [string, Command][] => [
  [`${name} list`, listCommand(name as Resource)],
  [`${name} get`, getCommand(name as Resource)],
]);

/** Every command by its words. */
export const commands: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(reads),
  'payments create': {
    options: ['amount', 'method', 'reference', 'description'],
    says: 'a payment of so many baht',
    run: async (run) => {
      const { amount, method, reference, description } = run.values;
      const fields = {
        amount: parseBaht(required(amount, '--amount 1299.00')),
        method,
        reference,
        description,
      };
      await print(run, call(run, 'createPayment', fields));
    },
  },
  'payments cancel': {
    takes: 'ID',
    says: 'a payment that nobody has paid yet',
    run: (run) => print(run, call(run, 'cancelPayment')),
  },
  'refunds create': {
    takes: 'PAYMENT_ID',
    options: ['amount'],
    says: 'without an amount, of all that is left',
    run: async (run) => {
      const { amount } = run.values;
      await print(run, call(run, 'requestRefund', amount === undefined ? {} : { amount: parseBaht(amount) }));
    },
  },
  events: listCommand('events'),
  simulate: {
    takes: 'ID OUTCOME',
    options: ['delay', 'event-id', 'result-code'],
    says: 'what the provider says of a payment or refund, the bank of a payout',
    run: async (run) => {
      const [id = '', outcome] = run.args;
      const operation = SIMULATIONS[id.slice(0, id.indexOf('_'))];
      if (operation === undefined) {
        throw new UsageError('simulate takes the id of a payment, a refund or a payout: pay_…, ref_…, pot_…');
      }
      const { delay, 'event-id': event_id, 'result-code': result_code } = run.values;
      const delay_seconds = delay === undefined ? undefined : parseDurationSeconds(delay);
      await print(run, call(run, operation, { outcome, delay_seconds, event_id, result_code }));
    },
  },
  advance: {
    takes: 'DURATION',
    says: "the merchant's clock, and what becomes due",
    run: async (run) => {
      const seconds = parseDurationSeconds(required(run.args[0], 'advance 2h'));
      await print(run, invoke(run, 'advanceClock', [], { seconds }));
    },
  },
  clock: { says: "the merchant's clock", run: (run) => print(run, call(run, 'getClock')) },
  'sinks create': {
    options: ['name'],
    says: 'a receiver of webhooks that can be told to fail',
    run: (run) => print(run, call(run, 'createWebhookSink', { name: run.values.name })),
  },
  'sinks update': {
    takes: 'ID',
    options: ['fail-count', 'respond-status'],
    says: 'how a sink answers',
    run: async (run) => {
      const { 'fail-count': fails, 'respond-status': status } = run.values;
      const fields = { fail_count: numberOf(fails), respond_status: numberOf(status) };
      await print(run, call(run, 'updateWebhookSink', fields));
    },
  },
  'sinks tail': {
    takes: '[ID]',
    says: 'what a sink receives, as it comes; without an id, the newest sink. Ctrl-C ends it',
    run: tail,
  },
  seed: { takes: 'small|month|e2e', says: 'a plausible past', run: seed },
  purge: { options: ['yes'], says: 'empties the test world', run: purge },
  call: {
    takes: 'OPERATION [ID]...',
    options: ['data'],
    says: 'any other operation of the client, by its name',
    more: () => `Operations: ${CALLABLE.join(', ')}`.replace(/(.{1,90})(?: |$)/g, '$1\n  ').trimEnd(),
    run: callAny,
  },
};

function listCommand(name: Resource): Command {
  const { list, columns } = RESOURCES[name];
  const filters = filtersOf(operations[list]);
  return {
    options: filters.includes('limit') ? [...filters, 'all'] : filters,
    says: `${name}, newest first`,
    run: (run) => printList(run, list, columns, queryOf(filters, run)),
  };
}

function getCommand(name: Resource): Command {
  const { get } = RESOURCES[name];
  return { takes: 'ID', says: `one of the ${name}`, run: (run) => print(run, call(run, get)) };
}

/** Calls an operation with the ids of the command; the service checks them. */
function call(run: Run, name: OperationName, fields?: object): PromiseLike<object> {
  const count = idCountOf(operations[name]);
  if (run.args.length < count) {
    throw new UsageError(`This takes ${count === 1 ? 'an id' : `${count} ids`}.`);
  }
  return invoke(run, name, run.args.slice(0, count), fields);
}

function invoke(
  { client, idempotencyKey }: Run,
  name: OperationName,
  ids: readonly string[],
  fields?: object,
): PromiseLike<object> {
  const method = client[name] as (...args: unknown[]) => PromiseLike<object>;
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  return method(...ids, ...(fields === undefined ? [] : [fields]), options);
}

async function print({ json }: Run, answer: PromiseLike<object>): Promise<void> {
  const data = await answer;
  console.log(json ? JSON.stringify(data, null, 2) : fieldLines(data).join('\n'));
}

async function printList(
  run: Run,
  name: (typeof RESOURCES)[Resource]['list'],
  columns: readonly string[],
  query: object,
): Promise<void> {
  const list = run.client[name] as (query: object) => ReturnType<Client['listPayments']>;
  const isAll = run.values.all === true;
  let shown = 0;
  for await (const page of list(query).pages()) {
    shown += page.data.length;
    const items = run.json ? page.data.map((item) => JSON.stringify(item)) : tableLines(page.data, columns);
    if (run.json && !isAll) {
      console.log(JSON.stringify(page, null, 2));
    } else if (items.length > 0) {
      console.log(items.join('\n'));
    }
    if (!isAll) {
      const more = page.next_cursor === null ? '' : `More: --all, or --after ${page.next_cursor}`;
      const end = shown === 0 && more === '' ? 'None.' : more;
      return run.json || end === '' ? undefined : console.error(end);
    }
  }
}

async function tail(run: Run): Promise<void> {
  const { client, args, json } = run;
  const id = args[0] ?? (await client.listWebhookSinks()).data[0]?.id;
  if (id === undefined) {
    throw new Error('There is no sink yet: sinks create makes one.');
  }
  const end = new AbortController();
  process.once('SIGINT', () => end.abort());
  for await (const delivery of followDeliveries(client, id, end.signal)) {
    console.log(json ? JSON.stringify(delivery) : deliveryLine(delivery));
  }
}

async function seed(run: Run): Promise<void> {
  const profile = required(run.args[0], 'seed month');
  const [newest] = (await run.client.listPayments({ limit: 1 })).data;
  const total = Object.entries(SEED_SCRIPTS).find(([name]) => name === profile)?.[1]().payments.length ?? 0;
  const count = async () => {
    let done = 0;
    for await (const { id } of run.client.listPayments({ limit: 100 })) {
      if (id === newest?.id || done === total) {
        return done;
      }
      done += 1;
    }
    return done;
  };
  const seeding = Promise.resolve(call({ ...run, args: [] }, 'seedTestData', { profile }));
  await print(run, withProgress(seeding, process.stderr, { total, what: 'payments', count }));
}

async function purge(run: Run): Promise<void> {
  if (run.values.yes !== true && !(await isMeant('This empties the whole test world of this key.', 'yes'))) {
    throw new Error('Nothing was changed.');
  }
  await print(run, call(run, 'purgeTestData'));
}

async function callAny(run: Run): Promise<void> {
  const [name = '', ...args] = run.args;
  if (!CALLABLE.includes(name)) {
    const meant = nearest(name, CALLABLE);
    throw new UsageError(
      `There is no operation of this name.${meant === null ? '' : ` Did you mean "${meant}"?`}`,
    );
  }
  const operation = name as OperationName;
  const fields = run.values.data === undefined ? {} : parseFields(run.values.data);
  const row: Operation = operations[operation];
  const takesFields = namesOf(row.body ?? row.query).some((field) => field !== row.bodyId);
  await print(run, call({ ...run, args }, operation, takesFields ? fields : undefined));
}

function parseFields(text: string): object {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null) {
      return fields;
    }
  } catch {
    // Said below, without the text.
  }
  throw new Error('--data takes one JSON object.');
}

/** The options of a list: the fields of its query. */
function filtersOf(row: Operation): Option[] {
  const names = namesOf(row.query).map((name) => name.replaceAll('_', '-'));
  return names.filter((name): name is Option => Object.hasOwn(OPTIONS, name));
}

function queryOf(filters: readonly Option[], { values }: Run): object {
  return Object.fromEntries(filters.map((name) => [name.replaceAll('-', '_'), values[name]]));
}

function namesOf(schema: object | undefined): string[] {
  return schema !== undefined && 'entries' in schema ? Object.keys(schema.entries as object) : [];
}

function idCountOf({ path }: Operation): number {
  return path.split('{').length - 1;
}

function required(value: string | undefined, example: string): string {
  if (value === undefined) {
    throw new UsageError(`Something is missing: ${example}.`);
  }
  return value;
}

/** The service says what is wrong with a number that is none. */
function numberOf(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}
