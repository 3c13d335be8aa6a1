import type { List } from '../../../shared/client/list.ts';
import type { OperationName } from '../../../shared/client/method.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { SEED_SCRIPTS } from '../../../shared/domain/testkit/seed-profiles.ts';
import { didYouMean, UsageError } from '../../machine/command.ts';
import { isMeant } from '../confirm.ts';
import { parseDurationSeconds } from '../duration.ts';
import { parseBaht } from './baht.ts';
import { type Command, OPTIONS, type Option, type Run } from './command-form.ts';
import { untilInterrupted } from './interrupt.ts';
import { fieldLines, tableLines } from './lines.ts';
import { LISTEN_USAGE, listen, resend } from './listen.ts';
import { withProgress } from './progress.ts';
import { deliveryLine, followDeliveries } from './tail.ts';
import { TRIGGERED_TYPES, trigger } from './trigger.ts';

/** The columns that a terminal shows of a list. */
const COLUMNS: Readonly<Record<string, string>> = {
  payments: 'created_at id number status amount method reference',
  refunds: 'created_at id number status amount payment_id',
  links: 'created_at id number status amount_type amount uses url',
  payouts: 'created_at id number status amount provider',
  settlements: 'created_at id number status expected stated provider value_date payout_id',
  events: 'timestamp id sequence type',
  sinks: 'created_at id name received_count respond_status fail_count url',
};
const COLUMNS_OF_OTHERS = 'created_at id status';

/** The operations of the client: those that need a key. */
const CALLABLE = Object.entries<Operation>(operations).filter(
  ([, { permission }]) => permission !== null,
) as [OperationName, Operation][];

/** Resources that can be listed and retrieved, as with `/api/v1/payment-links` and `/api/v1/payment-links/{id}`. */
const LISTS = CALLABLE.flatMap(([list, { method, path }]) => {
  const [get] =
    CALLABLE.find(([, row]) => row.path === `${path}/{id}` && row.method === 'GET' && method === 'GET') ?? [];
  return get === undefined ? [] : [{ name: path.replace(/.*\W/, ''), list, get }];
});

/** The operations that simulate an outcome, by the id prefix of the resource. */
const SIMULATIONS: Readonly<Record<string, OperationName>> = {
  pay: 'simulatePayment',
  ref: 'simulateRefund',
  pot: 'simulatePayout',
};

const reads = LISTS.flatMap(({ name, list, get }) => [
  [`${name} list`, listCommand(name, list)],
  [`${name} get`, callCommand('ID', get)],
]);

/** Every command by its words. */
export const commands: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(reads),
  'payments create': {
    options: ['amount', 'method', 'checkout', 'reference', 'description'],
    says: operations.createPayment.summary,
    run: async (run) => {
      const { method, checkout, reference, description } = run.values;
      const amount = parseBaht(required(run.values.amount, '--amount 1299.00'));
      await print(run, call(run, 'createPayment', { amount, method, checkout, reference, description }));
    },
  },
  'payments cancel': callCommand('ID', 'cancelPayment'),
  'refunds create': {
    takes: 'PAYMENT_ID',
    options: ['amount'],
    says: `${operations.requestRefund.summary}, by default of the remaining amount`,
    run: async (run) => {
      const { amount } = run.values;
      await print(run, call(run, 'requestRefund', amount === undefined ? {} : { amount: parseBaht(amount) }));
    },
  },
  events: listCommand('events', 'listEvents'),
  'events resend': {
    takes: 'EVENT_ID',
    options: ['forward-to'],
    says: 'Forward an event again: to the last URL of "listen", or to another URL',
    run: resend,
  },
  listen: {
    options: ['forward-to', 'events', 'since', 'once', 'print-secret'],
    says: 'Forward the events of your world to your own server as they occur. Ctrl-C ends it',
    more: () => LISTEN_USAGE,
    run: listen,
  },
  simulate: {
    takes: 'ID OUTCOME',
    options: ['delay', 'event-id', 'result-code'],
    says: 'Simulate the outcome of a payment, refund or payout',
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
  trigger: {
    takes: 'TYPE',
    says: 'Trigger an event of this type in your test world',
    more: () => `Creates a new payment, link or settlement for the event. To approve a refund or to expire a payment, it advances
  the clock, and everything else that is due by then runs too.

  Types: ${wrapped(TRIGGERED_TYPES)}`,
    run: runTrigger,
  },
  advance: {
    takes: 'DURATION',
    says: operations.advanceClock.summary,
    run: async (run) => {
      const seconds = parseDurationSeconds(required(run.args[0], 'advance 2h'));
      await print(run, invoke(run, 'advanceClock', [], { seconds }));
    },
  },
  clock: callCommand('', 'getClock'),
  'sinks create': {
    options: ['name'],
    says: operations.createWebhookSink.summary,
    run: (run) => print(run, call(run, 'createWebhookSink', { name: run.values.name })),
  },
  'sinks update': {
    takes: 'ID',
    options: ['fail-count', 'respond-status'],
    says: operations.updateWebhookSink.summary,
    run: async (run) => {
      const { 'fail-count': fails, 'respond-status': status } = run.values;
      const fields = { fail_count: numberOf(fails), respond_status: numberOf(status) };
      await print(run, call(run, 'updateWebhookSink', fields));
    },
  },
  'sinks tail': {
    takes: '[ID]',
    says: 'Show the deliveries to a sink as they arrive. Default: the newest sink. Ctrl-C ends it',
    run: tail,
  },
  seed: { takes: 'small|month|e2e', says: operations.seedTestData.summary, run: seed },
  purge: { says: operations.purgeTestData.summary, run: purge },
  call: {
    takes: 'OPERATION [ID]...',
    options: ['data'],
    says: 'Call any operation by its name',
    more: () => `Operations: ${wrapped(CALLABLE.map(([name]) => name))}`,
    run: callAny,
  },
};

function listCommand(name: string, list: OperationName): Command {
  const filters = filtersOf(operations[list]);
  const columns = columnsOf(name);
  return {
    options: filters.includes('limit') ? [...filters, 'all'] : filters,
    says: operations[list].summary,
    run: (run) => printList(run, list, columns, queryOf(filters, run)),
  };
}

/** A command that calls one operation and takes only its ids. */
function callCommand(takes: string, name: OperationName): Command {
  return { takes, says: operations[name].summary, run: (run) => print(run, call(run, name)) };
}

/** Calls an operation with the ids of the command. The service checks them. */
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
  name: OperationName,
  columns: readonly string[],
  query: object,
): Promise<void> {
  const list = run.client[name] as (query: object) => List<object>;
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
      const next =
        page.next_cursor === null ? `--after-sequence ${page.next_sequence}` : `--after ${page.next_cursor}`;
      const more = page.has_more ? `More: --all, or ${next}` : '';
      const end = shown === 0 && more === '' ? 'None.' : more;
      return run.json || end === '' ? undefined : console.error(end);
    }
  }
}

async function tail(run: Run): Promise<void> {
  const { client, args, json } = run;
  const id = args[0] ?? (await client.listWebhookSinks()).data[0]?.id;
  if (id === undefined) {
    throw new Error('No webhook sink found. Create one: npm run pg -- sinks create');
  }
  for await (const delivery of followDeliveries(client, id, untilInterrupted().end)) {
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
  if (!run.yes && !(await isMeant('This deletes all data in the test world of this key.', 'yes'))) {
    throw new Error('Nothing was changed.');
  }
  await print(run, call(run, 'purgeTestData'));
}

async function callAny(run: Run): Promise<void> {
  const [typed = '', ...args] = run.args;
  const operation = CALLABLE.find(([name]) => name === typed);
  if (operation === undefined) {
    const names = CALLABLE.map(([known]) => known);
    throw new UsageError(`Unknown operation.${didYouMean(typed, names)}`);
  }
  const [name, row] = operation;
  const fields = run.values.data === undefined ? {} : parseFields(run.values.data);
  const takesFields = namesOf(row.body ?? row.query).some((field) => field !== row.bodyId);
  await print(run, call({ ...run, args }, name, takesFields ? fields : undefined));
}

async function runTrigger(run: Run): Promise<void> {
  const typed = required(run.args[0], 'trigger payment.succeeded');
  const type = TRIGGERED_TYPES.find((each) => each === typed);
  if (type === undefined) {
    throw new UsageError(`Unknown event type.${didYouMean(typed, TRIGGERED_TYPES)}`);
  }
  if (run.idempotencyKey !== undefined) {
    throw new UsageError('trigger makes several calls, and takes no --idempotency-key.');
  }
  const event = await trigger(run.client, type);
  console.log(
    run.json ? JSON.stringify(event, null, 2) : tableLines([event], columnsOf('events')).join('\n'),
  );
}

function parseFields(text: string): object {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null) {
      return fields;
    }
  } catch {
    // Refused below, without repeating the text.
  }
  throw new Error('--data takes one JSON object.');
}

function columnsOf(name: string): string[] {
  return (COLUMNS[name] ?? COLUMNS_OF_OTHERS).split(' ');
}

/** Wraps words into lines of a usage. */
function wrapped(words: readonly string[]): string {
  return words
    .join(', ')
    .replace(/(.{1,90})(?: |$)/g, '$1\n  ')
    .trimEnd();
}

/** The options of a list command: the fields of its query. */
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
    throw new UsageError(`Missing argument: ${example}.`);
  }
  return value;
}

/** Text that is not a number is sent unchanged, so that the service reports the error. */
function numberOf(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}
