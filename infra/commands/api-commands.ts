import { answerOf } from '../../shared/client/answer.ts';
import type { List } from '../../shared/client/list.ts';
import type { OperationName } from '../../shared/client/method.ts';
import { docsOf } from '../../shared/contract/docs.ts';
import type { AnySchema } from '../../shared/contract/fields.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { collectionName } from '../../shared/contract/operation-words.ts';
import { operations } from '../../shared/contract/operations.ts';
import { fieldsIn } from '../../shared/contract/testkit/scenarios.ts';
import { SECOND_MS, toTimestamp } from '../../shared/domain/clock.ts';
import { EVENT_TYPES, type EventType } from '../../shared/domain/resource.ts';
import { SEED_SCRIPTS } from '../../shared/domain/testkit/seed-profiles.ts';
import { wordList } from '../../shared/domain/word-list.ts';
import { lastWellAt } from '../../shared/story/delivery-words.ts';
import { LISTED_KINDS } from '../../shared/story/lists.ts';
import { jsonText } from '../terminal/clean-text.ts';
import { readAs, UsageError } from '../terminal/command.ts';
import { isMeant } from '../terminal/confirm.ts';
import { parseDurationSeconds } from '../terminal/duration.ts';
import { whileRead } from '../terminal/interrupt.ts';
import { fieldLines, inBangkok, tableLines } from '../terminal/lines.ts';
import { type Options, required } from '../terminal/option-form.ts';
import { optionsOf, PG_OPTIONS, type PgOption } from '../terminal/options.ts';
import { complain, outputGone, say, sayJson } from '../terminal/output.ts';
import { type Command, type PgRun, serviceOf } from '../terminal/pg-command.ts';
import { print } from '../terminal/print.ts';
import { answerLines } from './answers.ts';
import { LISTEN_USAGE, listen, resend } from './listen.ts';
import { moreText } from './next-page.ts';
import { dashboardAddress, openInBrowser } from './open.ts';
import { withProgress } from './progress.ts';
import { resourceLine } from './resource-line.ts';
import { describeStory } from './show.ts';
import { deliveryLine, followDeliveries, followRequests, loggedLine } from './tail.ts';
import { trigger } from './trigger.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
/** Options that are no fields as they were typed. */
const CONVERTED: readonly PgOption[] = ['data', 'ttl', 'overlap'];
const SEED_PROFILES = Object.keys(SEED_SCRIPTS);

/** The columns that a terminal shows of a list, where they are not those of the dashboard. */
const COLUMNS: Readonly<Partial<Record<OperationName, string>>> = {
  listPayments: 'created_at id number status amount method reference',
  listPaymentLinks: 'created_at id number status amount_type amount uses url',
  listPayouts: 'created_at id number status amount provider',
  listSettlements: 'created_at id number status expected stated provider value_date payout_id',
  listEvents: 'timestamp id sequence type',
  listWebhookSinks: 'created_at id name received_count respond_status fail_count url',
  listWebhookEndpoints: 'created_at id status events url',
  listEndpointDeliveries:
    'attempted_at event_id attempt status answered_status duration_ms failure next_attempt_at id',
  listRequests: 'at method path status code duration_ms id',
  listTestWorlds: 'id name expires_at',
};
const FIRST_COLUMNS = ['created_at', 'id', 'number', 'status'];

/** The operations of the client: those that need a key. */
const CALLABLE = Object.entries<Operation>(operations).filter(
  ([, { permission }]) => permission !== null,
) as [OperationName, Operation][];

/** Resources that can be listed and retrieved, as with `/api/v1/payment-links` and `/api/v1/payment-links/{id}`. */
const COLLECTIONS = CALLABLE.flatMap(([list, { method, path }]) => {
  const [get] =
    CALLABLE.find(([, row]) => row.path === `${path}/{id}` && row.method === 'GET' && method === 'GET') ?? [];
  return get === undefined ? [] : [{ name: collectionName(path), list, get }];
});

/** The kinds of resources whose outcomes can be simulated, each with the operation. */
const SIMULATED = LISTED_KINDS.flatMap(({ segment, prefix, simulateId }) =>
  CALLABLE.filter(([, { id }]) => id === simulateId).map(([operation, { body }]) => ({
    word: segment.slice(0, -1),
    prefix,
    operation,
    outcomes: body === undefined ? [] : outcomesIn(body),
  })),
);

const reads = COLLECTIONS.flatMap(({ name, list, get }) => [
  [`${name} list`, listCommand(list)],
  [`${name} get`, callCommand(get)],
]);

/** `pg simulate` of one outcome. */
export const OUTCOME_COMMAND: Command = {
  takes: '<ID> <OUTCOME>',
  choices: [[], [...new Set(SIMULATED.flatMap(({ outcomes }) => outcomes))]],
  options: optionsOf('delay', 'event-id', 'result-code', 'data'),
  says: `Simulate the outcome of a ${wordList(
    SIMULATED.map(({ word }) => word),
    'or',
  )}`,
  run: (run) => {
    const [id = '', outcome] = run.args;
    const simulated = SIMULATED.find(({ prefix }) => id.startsWith(`${prefix}_`));
    if (simulated === undefined) {
      const words = wordList(
        SIMULATED.map(({ word }) => `a ${word}`),
        'or',
      );
      throw new UsageError(
        `simulate takes the id of ${words}: ${SIMULATED.map(({ prefix }) => `${prefix}_…`).join(', ')}`,
      );
    }
    const { delay: delay_seconds, 'event-id': event_id, 'result-code': result_code, data } = run.values;
    const fields = { outcome, delay_seconds, event_id, result_code, ...data };
    return show(run, simulated.operation, call(run, simulated.operation, fields));
  },
};

/** The commands that call the API, by their words. */
export const API_COMMANDS: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(reads),
  'payments create': fieldsCommand('createPayment', {
    amount: required(PG_OPTIONS.amount),
    ...optionsOf('method', 'checkout', 'reference', 'description', 'data'),
  }),
  'payments cancel': callCommand('cancelPayment'),
  'payments handled': fieldsCommand('markPaymentHandled', optionsOf('note')),
  'links create': {
    ...fieldsCommand(
      'createPaymentLink',
      optionsOf('amount', 'description', 'max-uses', 'data'),
      (values) => ({
        amount: values.amount === undefined ? { type: 'open' } : { type: 'fixed', fixed: values.amount },
      }),
    ),
    says: `${docsOf(operations.createPaymentLink).summary}. Without an amount, payers enter one`,
  },
  'links disable': callCommand('disablePaymentLink'),
  'refunds create': {
    ...fieldsCommand('requestRefund', optionsOf('amount', 'reason', 'reason-code', 'data')),
    takes: '<PAYMENT_ID>',
    says: `${docsOf(operations.requestRefund).summary}, by default of the remaining amount`,
  },
  'refunds cancel': callCommand('cancelRefund'),
  events: listCommand('listEvents'),
  'events resend': {
    takes: '<EVENT_ID>',
    options: optionsOf('forward-to', 'scheme', 'secret-env'),
    says: 'Forward an event again: to the last URL of "listen", or to another URL',
    run: resend,
  },
  'endpoints create': {
    ...fieldsCommand(
      'createWebhookEndpoint',
      { url: required(PG_OPTIONS.url), ...optionsOf('events', 'description') },
      ({ events = '*' }) => ({ events: events.split(',').map((type) => type.trim()) }),
    ),
    says: `${docsOf(operations.createWebhookEndpoint).summary}. Prints its signing secret once`,
  },
  'endpoints delete': callCommand('deleteWebhookEndpoint'),
  'endpoints rotate': fieldsCommand('rotateWebhookSecret', optionsOf('overlap'), ({ overlap }) => ({
    overlap_hours: overlap === undefined ? undefined : Math.ceil(overlap / HOUR_SECONDS),
  })),
  'endpoints ping': callCommand('sendTestEvent'),
  'endpoints recover': {
    ...callCommand('recoverEvents'),
    options: {
      since: {
        ...PG_OPTIONS.since,
        says: "the events of so long ago on the merchant's clock, and later ones; without it, those since its last success",
      },
    },
    run: recover,
  },
  'endpoints deliveries': listCommand('listEndpointDeliveries'),
  listen: {
    options: optionsOf('forward-to', 'events', 'since', 'once', 'scheme', 'secret-env', 'print-secret'),
    says: 'Forward the events of your world to your own server as they occur. Ctrl-C ends it',
    more: LISTEN_USAGE,
    run: listen,
  },
  simulate: OUTCOME_COMMAND,
  trigger: {
    says: 'Trigger an event of a type in your test world. Creates a new payment, link or settlement for it. To approve a refund or to expire a payment, it advances the clock, and everything else that is due by then runs too',
  },
  ...Object.fromEntries(EVENT_TYPES.map((type) => [`trigger ${type}`, triggerCommand(type)])),
  advance: {
    takes: '<DURATION>',
    says: docsOf(operations.advanceClock).summary,
    run: (run) => {
      const seconds = readAs('advance', () => parseDurationSeconds(String(run.args[0])));
      return show(run, 'advanceClock', invoke(run, 'advanceClock', [], { seconds }));
    },
  },
  clock: callCommand('getClock'),
  'sinks create': fieldsCommand('createWebhookSink', optionsOf('name')),
  'sinks update': fieldsCommand('updateWebhookSink', optionsOf('fail-count', 'respond-status')),
  'sinks tail': {
    takes: '[ID]',
    says: 'Show the deliveries to a sink as they arrive. Default: the newest sink. Ctrl-C ends it',
    run: tail,
  },
  'world create': {
    ...fieldsCommand('createTestWorld', optionsOf('name', 'ttl', 'starts-at', 'profile'), lifetimeOf),
    says: `${docsOf(operations.createTestWorld).summary}. Prints its key once`,
  },
  'world fork': {
    takes: '[WORLD_ID]',
    options: optionsOf('name', 'ttl'),
    says: `${docsOf(operations.forkTestWorld).summary}. Default: that of the key. Prints its key once`,
    run: async (run) => {
      const { name } = run.values;
      const [id = (await run.client.getKey()).world] = run.args;
      return show(
        run,
        'forkTestWorld',
        invoke(run, 'forkTestWorld', [id], { name, ...lifetimeOf(run.values) }),
      );
    },
  },
  'world delete': callCommand('deleteTestWorld'),
  show: {
    takes: '<ID>',
    options: optionsOf('trace'),
    says: 'Show the story of a payment, refund or payment link: what happened, each attempt to deliver it, and what comes next',
    run: async (run) => {
      const { data, lines, traces, traceLines } = await describeStory(run.client, String(run.args[0]));
      if (run.values.trace) {
        print(run.values.json, traces, ...traceLines);
      } else {
        print(run.values.json, data, ...lines);
      }
    },
  },
  open: {
    takes: '[ID]',
    options: optionsOf('print-only'),
    says: 'Open the dashboard, or the place in it that shows an id',
    run: async ({ args, values, baseUrl, localKey }) => {
      const address = dashboardAddress(baseUrl, args[0], localKey);
      say(address);
      if (!values['print-only']) {
        openInBrowser(address);
      }
    },
  },
  'logs list': listCommand('listRequests'),
  'logs tail': {
    says: 'Show the requests to your test world as they arrive. Ctrl-C ends it',
    run: async ({ client, values }) => {
      for await (const request of followRequests(client, whileRead())) {
        say(values.json ? jsonText(request) : loggedLine(request));
      }
    },
  },
  seed: {
    takes: `<${SEED_PROFILES.join('|')}>`,
    choices: [SEED_PROFILES],
    says: docsOf(operations.seedTestData).summary,
    run: seed,
  },
  purge: { says: docsOf(operations.purgeTestData).summary, run: purge },
  call: { says: 'Call any operation by its name or its id' },
  ...Object.fromEntries(CALLABLE.map(([name, row]) => [`call ${name}`, anyCommand(name, row)])),
};

function listCommand(list: OperationName): Command {
  const filters = filtersOf(operations[list]);
  const columns = columnsOf(list);
  return {
    takes: idsOf(operations[list]),
    options: optionsOf(...filters, ...(filters.includes('limit') ? (['all'] as const) : [])),
    says: docsOf(operations[list]).summary,
    run: (run) => printList(run, list, columns, filters),
  };
}

/** A command that calls one operation and takes only its ids. */
function callCommand(name: OperationName): Command {
  const { summary: says } = docsOf(operations[name]);
  return { takes: idsOf(operations[name]), says, run: (run) => show(run, name, call(run, name)) };
}

/**
 * A command that calls one operation with its ids, and sends the values of its options as fields.
 * @param changedOf the fields that are not as they were typed
 */
function fieldsCommand(
  name: OperationName,
  options: Options,
  changedOf: (values: PgRun['values']) => object = () => ({}),
): Command {
  const names = Object.keys(options) as PgOption[];
  const typed = names.filter((option) => !CONVERTED.includes(option));
  return {
    ...callCommand(name),
    options,
    run: (run) => {
      const fields = { ...queryOf(typed, run), ...changedOf(run.values), ...run.values.data };
      return show(run, name, call(run, name, fields));
    },
  };
}

function lifetimeOf({ ttl }: PgRun['values']) {
  return { ttl_minutes: ttl === undefined ? undefined : Math.ceil(Number(ttl) / MINUTE_SECONDS) };
}

/** A command that calls one operation with its ids and any fields. */
function anyCommand(name: OperationName, row: Operation): Command {
  const takesFields = namesOf(row.body ?? row.query).some((field) => field !== row.bodyId);
  return {
    ...callCommand(name),
    // As the document and the log of requests name it.
    alias: row.id,
    ...(takesFields && {
      options: optionsOf('data'),
      run: (run: PgRun) => show(run, name, call(run, name, run.values.data ?? {})),
    }),
  };
}

/** Calls an operation with the ids of the command. The service checks them. */
function call(run: PgRun, name: OperationName, fields?: object): PromiseLike<object> {
  return invoke(run, name, run.args.slice(0, idsOf(operations[name]).split('<').length - 1), fields);
}

function invoke(
  { client, values: { 'idempotency-key': idempotencyKey } }: PgRun,
  name: OperationName,
  ids: readonly string[],
  fields?: object,
): PromiseLike<object> {
  const method = client[name] as (...args: unknown[]) => PromiseLike<object>;
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  return method(...ids, ...(fields === undefined ? [] : [fields]), options);
}

/** Prints the response of an operation that reads, and to a person what one that changes something did. */
async function show(
  { values, client }: PgRun,
  name: OperationName,
  result: PromiseLike<object>,
): Promise<void> {
  const data = await result;
  const lines = values.json ? [] : ((await answerLines(name, data, client)) ?? fieldLines(data));
  print(values.json, data, ...lines);
}

async function printList(
  run: PgRun,
  name: OperationName,
  columns: readonly string[],
  filters: readonly PgOption[],
): Promise<void> {
  const list = run.client[name] as (...args: unknown[]) => List<object>;
  const { all: isAll = false, json } = run.values;
  let shown = 0;
  for await (const page of list(...run.args, queryOf(filters, run)).pages()) {
    if (outputGone.aborted) {
      return;
    }
    shown += page.data.length;
    const lines = json ? page.data.map((item) => jsonText(item)) : tableLines(page.data, columns);
    // The titles stand above the first page alone.
    const items = !json && shown > page.data.length ? lines.slice(1) : lines;
    if (json && !isAll) {
      sayJson(page, 2);
    } else if (items.length > 0) {
      say(...items);
    }
    if (!isAll) {
      const more = moreText(page, filters, run.values);
      const end = shown === 0 && more === '' ? 'None.' : more;
      return json || end === '' ? undefined : complain(end);
    }
  }
}

async function tail(run: PgRun): Promise<void> {
  const { client, args, values } = run;
  const id = args[0] ?? (await client.listWebhookSinks()).data[0]?.id;
  if (id === undefined) {
    throw new Error('No webhook sink found. Create one: pg sinks create');
  }
  for await (const delivery of followDeliveries(client, id, whileRead())) {
    say(values.json ? jsonText(delivery) : deliveryLine(delivery));
  }
}

async function seed(run: PgRun): Promise<void> {
  const [profile] = run.args;
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
  await show(run, 'seedTestData', withProgress(seeding, process.stderr, { total, what: 'payments', count }));
}

async function recover(run: PgRun): Promise<void> {
  const endpoint = await run.client.getWebhookEndpoint(String(run.args[0]));
  const { since: agoSeconds } = run.values;
  const nowMs = Date.parse(answerOf(endpoint).clock ?? new Date().toISOString());
  const since = agoSeconds === undefined ? lastWellAt(endpoint) : toTimestamp(nowMs - agoSeconds * SECOND_MS);
  await show(run, 'recoverEvents', call(run, 'recoverEvents', { since }));
}

async function purge(run: PgRun): Promise<void> {
  if (!run.values.yes && !(await isMeant('This deletes all data in the test world of this key.', 'yes'))) {
    throw new Error('Nothing was changed.');
  }
  await show(run, 'purgeTestData', call(run, 'purgeTestData'));
}

function triggerCommand(type: EventType): Command {
  return {
    options: optionsOf('event-timeout'),
    says: `Trigger ${type}`,
    run: async (run) => {
      const { client, values } = run;
      if (values['idempotency-key'] !== undefined) {
        throw new UsageError('trigger makes several calls, and takes no --idempotency-key.');
      }
      const event = await trigger(client, type, serviceOf(run).eventTimeoutMs);
      const { id, sequence, timestamp, data } = event;
      print(
        values.json,
        event,
        `${event.type}: ${resourceLine(data.object)}`,
        `Event ${sequence}, ${id}, at ${inBangkok(timestamp)}`,
      );
    },
  };
}

function columnsOf(list: OperationName): string[] {
  const fields = LISTED_KINDS.filter(({ listId }) => listId === operations[list].id)
    .flatMap(({ columns }) => columns)
    .flatMap((column) => column.fields);
  return COLUMNS[list]?.split(' ') ?? [...new Set([...FIRST_COLUMNS, ...fields])];
}

function outcomesIn(body: AnySchema): string[] {
  const { outcome } = fieldsIn(body) ?? {};
  return outcome !== undefined && 'options' in outcome ? (outcome.options as string[]) : [];
}

/** The options of a list command: the fields of its query. */
function filtersOf(row: Operation): PgOption[] {
  const names = namesOf(row.query).map((name) => name.replaceAll('_', '-'));
  return names.filter((name): name is PgOption => Object.hasOwn(PG_OPTIONS, name));
}

function queryOf(filters: readonly PgOption[], { values }: PgRun): object {
  return Object.fromEntries(filters.map((name) => [name.replaceAll('-', '_'), values[name]]));
}

function namesOf(schema: object | undefined): string[] {
  return schema !== undefined && 'entries' in schema ? Object.keys(schema.entries as object) : [];
}

/** The ids in the path of an operation, as arguments of its command. */
function idsOf({ path }: Operation): string {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `<${name.toUpperCase()}>`);
  return ids.join(' ');
}
