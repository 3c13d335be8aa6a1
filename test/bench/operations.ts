import { docsOf } from '../../shared/contract/docs.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import type { Client } from '../support/world/api.ts';
import type { Sent } from '../support/world/send.ts';
import { type Consumption, costOf, costOfRest, show, storeDollarsPerMillion, type Units } from './cost.ts';
import { type LifeKind, measureLife, ORDER, PAYMENTS_A_MINUTE, tickUnits } from './life.ts';
import { type Call, sequentialRounds, unitsOf } from './meter.ts';
import { quantile } from './quantile.ts';
import type { Figures, Section } from './section.ts';
import { type Merchant, type Service, type Stand, startStand } from './stand.ts';

/*
 * What every operation costs the store, and how long it takes. Two services stand on one store: one speaks with it
 * directly, and its answers are timed; the other speaks through a meter, which counts.
 */

const REPETITIONS = { read: 120, filtered: 30, change: 50, kit: 20, stepwise: 5, worker: 20 };
/** One of so many repetitions is metered. */
const PER_METERED = 10;
/** Each that was metered is replayed so often. */
const REPLAYS = 5;
/** Before anything is measured: connections are open then, and code is compiled. */
const WARM_UPS = 3;
const READY_AT_ONCE = 4;
/** The meter holds each answer so long: calls that go out together do so within a few milliseconds. */
const HOLD_MS = 25;

/** What a list shows where no limit is given. */
const PAGE = 20;
const TEST_KIT = '/api/v1/test/';

interface Measured extends Units {
  /** The id of an operation, or what a worker does. */
  readonly id: string;
  readonly name: string;
  readonly rounds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How long the same calls of the store take by themselves. */
  readonly bareMs: number;
}

/** Something to be measured, at one of the two services: it is made ready, and then done. */
interface Subject {
  readonly id: string;
  readonly name: string;
  readonly repetitions: number;
  readonly ready: (service: Service) => Promise<() => Promise<unknown>>;
}

interface Bench {
  readonly stand: Stand;
  readonly direct: Service;
  readonly metered: Service;
}

/** Measures the life of a payment, every operation that requires a key, and the workers. */
export async function measure(): Promise<Section> {
  const { lives, tick } = await measureLives();
  const rest = costOfRest(tick);
  const stand = await startStand({ holdMs: HOLD_MS });
  try {
    // For requests that are made ready by what is in the store.
    process.env.AWS_ENDPOINT_URL_DYNAMODB = stand.storeEndpoint;
    process.env[VARIABLES.tableName] = stand.tableName;
    const [direct, metered] = await Promise.all([
      stand.startService(stand.storeEndpoint),
      stand.startService(stand.meter.endpoint),
    ]);
    const bench: Bench = { stand, direct, metered };
    // First, while no other world has anything to do.
    const workers = await measureAll(bench, workersOf(bench));
    const busy = await newBusyMerchant(bench);
    const keyed = allOperations.filter(({ permission }) => permission !== null);
    const [kit, merchant] = [true, false].map((isKit) =>
      keyed.filter((row) => isOfKit(row) === isKit).map((row) => operationOf(bench, row, busy)),
    ) as [Subject[], Subject[]];
    const measured = await measureAll(bench, merchant);
    const filtered = await measureAll(bench, await filteredLists(bench));
    const logging = stand.meter.takeLogging();
    const loggingUnits = unitsOf(logging).writeUnits / logging.length;
    const ofKit = await measureAll(bench, kit);
    console.log(['\nThe test kit:\n', ...table(ofKit)].join('\n'));
    return {
      lines: [
        ...costOf(lives['one receiver']).lines,
        '',
        ...livesTable(lives),
        '',
        `Every operation of the merchant API, warm, over HTTP on one machine; lists are those of a merchant with a month of payments, a page of ${PAGE}. *Rounds* are calls of the store that wait for one another. *To store*: how many times longer the operation takes than its store calls alone. The calls are recorded and sent again in the same run, in the same order, with conditions that succeed. The limit \`operations.rounds_max\` is one of operations without a time-out of their own.`,
        '',
        ...table([...measured, ...workers]),
        '',
        `Lists of a merchant with ${MANY} payments or more, a page of ${PAGE} with a filter. A page is read in steps that grow with what matched so far, of at most 500 entries: so it costs by what it looks at, and the next page goes on from there.`,
        '',
        ...table(filtered),
        '',
        'Production that rests, in us-east-1, each month. A test stage has neither alarms nor a dashboard:',
        '',
        ...rest.lines,
        '',
        `In test mode, the log of requests adds ${show(loggingUnits)} write units to each request that changes something, beside its commit: they are not in these tables, and live mode does not write them.`,
      ],
      figures: {
        ...figuresOfLives(lives),
        'operations.rounds_max': Math.max(...measured.filter(isShort).map(({ rounds }) => rounds)),
        'operations.request_log_write_units': loggingUnits,
        'rest.usd_per_month': rest.dollarsPerMonth,
        ...figuresOfFilters(filtered),
        ...figuresOf([...measured, ...filtered, ...ofKit, ...workers]),
      },
      failures: [],
    };
  } finally {
    await stand.stop();
  }
}

/** An operation with a longer time-out reads as much as there is, such as what an endpoint has missed. */
function isShort({ id }: Pick<Measured, 'id'>): boolean {
  return allOperations.find((row) => row.id === id)?.timeoutSeconds === undefined;
}

/* --- the life of a payment --- */

const METADATA_ENTRIES = 50;

const LIVES = {
  'one receiver': { figure: 'life', receivers: 1, paidBy: 'simulate' },
  'no receiver': { figure: 'life_without_receiver', receivers: 0, paidBy: 'simulate' },
  'one receiver, and a provider that sends its own notification, as in live mode': {
    figure: 'life_live_like',
    receivers: 1,
    paidBy: 'provider',
  },
  [`one receiver, and ${METADATA_ENTRIES} entries of metadata`]: {
    figure: 'life_with_much_metadata',
    receivers: 1,
    paidBy: 'simulate',
    order: {
      ...ORDER,
      metadata: Object.fromEntries(
        Array.from({ length: METADATA_ENTRIES }, (_, index) => [`entry_${index}`, `value ${index}`]),
      ),
    },
  },
} as const satisfies Record<string, LifeKind & { figure: string }>;

type Lives = Readonly<Record<keyof typeof LIVES, Consumption>>;

/** @returns `tick`: what a tick of the clock costs the store that finds nothing */
async function measureLives(): Promise<{ readonly lives: Lives; readonly tick: Units }> {
  const stand = await startStand();
  try {
    const service = await stand.startService(stand.meter.endpoint);
    const lives: [string, Consumption][] = [];
    for (const [name, kind] of Object.entries(LIVES)) {
      lives.push([name, await measureLife(stand, service, kind)]);
    }
    return { lives: Object.fromEntries(lives) as Lives, tick: await tickUnits(stand, service) };
  } finally {
    await stand.stop();
  }
}

function livesTable(lives: Lives): string[] {
  return [
    `A tick of the clock serves everybody: each of ${PAYMENTS_A_MINUTE} payments a minute has its share of one that finds nothing, and what it finds of its own counts in full.`,
    '',
    '| The life of a payment, with | Write units | Read units | Runs | $ per million |',
    '|---|---:|---:|---:|---:|',
    ...Object.entries(lives).map(([name, life]) => {
      const { writeUnits, readUnits, runs } = life;
      const dollars = costOf(life).dollarsPerMillion.toFixed(2);
      return `| ${[name, show(writeUnits), show(readUnits), runs, dollars].join(' | ')} |`;
    }),
  ];
}

function figuresOfLives(lives: Lives): Figures {
  return Object.assign(
    {},
    ...Object.entries(lives).map(([name, life]) => {
      const { figure } = LIVES[name as keyof Lives];
      return {
        [`${figure}.write_units`]: life.writeUnits,
        [`${figure}.read_units`]: life.readUnits,
        [`${figure}.usd_per_million`]: costOf(life).dollarsPerMillion,
        [`${figure}.runs`]: life.runs,
      };
    }),
  );
}

/* --- measuring --- */

async function measureAll(bench: Bench, subjects: readonly Subject[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const subject of subjects) {
    measured.push(await measureOne(bench, subject));
  }
  return measured;
}

async function measureOne({ stand: { meter }, direct, metered }: Bench, subject: Subject): Promise<Measured> {
  const durations: number[] = [];
  const metering: (readonly Call[])[] = [];
  const replays: number[] = [];
  const at = async (service: Service, count: number): Promise<void> => {
    for (let left = count; left > 0; left -= READY_AT_ONCE) {
      // Made ready side by side, done one after another.
      const acts = await Promise.all(
        Array.from({ length: Math.min(left, READY_AT_ONCE) }, () => subject.ready(service)),
      );
      for (const act of acts) {
        meter.take();
        const from = performance.now();
        await act();
        if (service === direct) {
          durations.push(performance.now() - from);
        } else {
          const calls = meter.take();
          metering.push(calls);
          for (let left = REPLAYS; left > 0; left -= 1) {
            replays.push(await meter.replay(calls));
          }
        }
      }
    }
  };
  await at(direct, WARM_UPS);
  await at(metered, WARM_UPS);
  durations.length = 0;
  metering.length = 0;
  replays.length = 0;
  for (let left = subject.repetitions; left > 0; left -= PER_METERED) {
    await at(direct, Math.min(left, PER_METERED));
    await at(metered, 1);
  }
  const middle = (of: (calls: readonly Call[]) => number) => quantile(metering.map(of), 0.5);
  return {
    id: subject.id,
    name: subject.name,
    rounds: middle(sequentialRounds),
    readUnits: middle((calls) => unitsOf(calls).readUnits),
    writeUnits: middle((calls) => unitsOf(calls).writeUnits),
    p50Ms: quantile(durations, 0.5),
    p99Ms: quantile(durations, 0.99),
    bareMs: quantile(replays, 0.5),
  };
}

/* --- what is measured --- */

function isOfKit(row: Operation): boolean {
  return row.path.startsWith(TEST_KIT);
}

function repetitionsOf(row: Operation): number {
  if (!row.idempotent) {
    return REPETITIONS.read;
  }
  return REPETITIONS[row.stepwise ? 'stepwise' : isOfKit(row) ? 'kit' : 'change'];
}

/** @param busy the merchant that requests lists, so that there is a page of them */
function operationOf({ direct }: Bench, row: Operation, busy: Merchant): Subject {
  const { idempotent, id } = row;
  const { summary: name } = docsOf(row);
  const repetitions = repetitionsOf(row);
  const readyFor = async (service: Service) => {
    const { acceptableRequest } = await import('../support/world/resources.ts');
    const isList = row.query !== undefined && !row.path.includes('{');
    const { secret } = isList ? busy : await service.openMerchant(0);
    // A service that has seen a key knows its world.
    await service.ask(secret, operations.getClock);
    const client = (async (life, sent) => ({
      status: life.success.status,
      json: await direct.ask(secret, life, sent),
    })) as Client;
    const sent = await acceptableRequest(row, client);
    return () => service.ask(secret, row, sent);
  };
  if (idempotent) {
    return { id, name, repetitions, ready: readyFor };
  }
  // A request that changes nothing can be repeated.
  const made = new Map<Service, ReturnType<typeof readyFor>>();
  const ready = (service: Service) => {
    const act = made.get(service) ?? readyFor(service);
    made.set(service, act);
    return act;
  };
  return { id, name, repetitions, ready };
}

/* --- lists with a filter --- */

/** More than a filtered page looks at. */
const MANY = 520;
/** The newest payments, by turns. */
const METHODS = ['promptpay', 'bank_transfer'] as const;
/** One of so many payments is canceled. */
const CANCELED_EVERY = 26;

/** What a filter matches of the newest entries; without a filter, `unfiltered`. */
type Matches = 'unfiltered' | 'all' | 'half' | 'one' | 'few' | 'none';
const FILTERED_LISTS: readonly (readonly [
  of: 'payments' | 'events',
  matches: Matches,
  name: string,
  query: Readonly<Record<string, string>>,
])[] = [
  ['payments', 'unfiltered', 'without a filter', {}],
  ['payments', 'all', 'which almost all match', { status: 'requires_action' }],
  ['payments', 'half', 'which every second one matches', { method: METHODS[1] }],
  ['payments', 'one', 'a number', { number: 'P-000123' }],
  ['payments', 'few', `which one of ${CANCELED_EVERY} matches`, { status: 'canceled' }],
  ['payments', 'none', 'which none matches', { status: 'processing', method: 'direct_debit' }],
  ['events', 'unfiltered', 'without a filter', {}],
  ['events', 'half', 'which every second one matches', { type: 'payment.created' }],
  ['events', 'few', `which one of ${2 * CANCELED_EVERY} matches`, { type: 'payment.canceled' }],
  ['events', 'none', 'which none matches', { type: 'payout.returned' }],
];
/** Those whose page is found near its beginning. */
const NEAR: readonly Matches[] = ['all', 'half', 'one'];

/** @throws Error where a filter that matches nothing finds something, or another one finds nothing */
async function filteredLists({ stand, direct }: Bench): Promise<Subject[]> {
  const { secret } = await direct.openMerchant(0);
  for (let made = 0; made < MANY; made += 1) {
    const body = { ...ORDER, method: METHODS[made % METHODS.length] };
    const { id } = await direct.ask<{ id: string }>(secret, operations.createPayment, { body });
    if (made % CANCELED_EVERY === 0) {
      await direct.ask(secret, operations.cancelPayment, { params: { id } });
    }
  }
  await stand.runFresh(direct);
  return FILTERED_LISTS.map(([of, matches, what, query]) => ({
    id: `${of}.filtered_${matches}`,
    name: `List ${of}: ${what}`,
    repetitions: REPETITIONS.filtered,
    ready: async (service) => async () => {
      const row = of === 'payments' ? operations.listPayments : operations.listEvents;
      const { data } = await service.ask<{ data: readonly unknown[] }>(secret, row, { query });
      if ((data.length === 0) !== (matches === 'none')) {
        throw new Error(`${data.length} ${of} are found: ${what}`);
      }
    },
  }));
}

function figuresOfFilters(filtered: readonly Measured[]): Figures {
  const unitsFor = (of: string, matches: Matches) =>
    filtered.find(({ id }) => id === `${of}.filtered_${matches}`)?.readUnits ?? Number.NaN;
  const near = FILTERED_LISTS.filter(([, matches]) => NEAR.includes(matches));
  const units = near.map(([of, matches]) => unitsFor(of, matches));
  const ratios = near.map(([of, matches]) => unitsFor(of, matches) / unitsFor(of, 'unfiltered'));
  return {
    'operations.filtered_read_units_max': Math.max(...units),
    'operations.filtered_to_unfiltered_max': Math.max(...ratios),
  };
}

const CREATE = { body: ORDER } satisfies Sent;

/** The workers, where one world has something to do. */
function workersOf({ stand, direct }: Bench): Subject[] {
  const repetitions = REPETITIONS.worker;
  const create = async () => {
    const { secret } = await direct.openMerchant(1);
    // Nothing is dispatched about the receiver; other fresh work is not part of the payment.
    await stand.runFresh(direct);
    await direct.ask(secret, operations.createPayment, CREATE);
  };
  let due: Promise<void> | undefined;
  let turn = Promise.resolve();
  return [
    {
      id: 'clock_tick',
      name: 'Clock tick that finds one world',
      repetitions,
      ready: async (service) => {
        due ??= create();
        await due;
        return () => stand.tick(service);
      },
    },
    {
      id: 'job_runner',
      name: 'Job runner: two events of a payment, to one receiver',
      repetitions,
      ready: async (service) => {
        let fresh: object[] = [];
        // One after another, so that what the stream delivers is of this payment alone.
        turn = turn.then(async () => {
          await create();
          fresh = await stand.takeFresh();
        });
        await turn;
        return () => stand.run(service, fresh);
      },
    },
  ];
}

/** A merchant with a month of history, the events of whose newest payments are dispatched. */
async function newBusyMerchant({ stand, direct }: Bench): Promise<Merchant> {
  const busy = await direct.openMerchant(1);
  await direct.ask(busy.secret, operations.seedTestData, { body: { profile: 'month' } });
  for (let made = 0; made < PAGE; made += 1) {
    await direct.ask(busy.secret, operations.createPayment, CREATE);
  }
  await stand.runFresh(direct);
  return busy;
}

/* --- the report --- */

function figuresOf(measured: readonly Measured[]): Figures {
  return Object.assign(
    {},
    ...measured.map(({ id, rounds, readUnits, writeUnits, p50Ms, p99Ms }) => ({
      [`operation.${id}.rounds`]: rounds,
      [`operation.${id}.read_units`]: readUnits,
      [`operation.${id}.write_units`]: writeUnits,
      [`operation.${id}.p50_ms`]: p50Ms,
      [`operation.${id}.p99_ms`]: p99Ms,
    })),
  );
}

function table(rows: readonly Measured[]): string[] {
  return [
    '| Operation | Rounds | Read units | Write units | $ per million | p50, ms | p99, ms | To store |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...rows.map((row) => {
      const { name, rounds, readUnits, writeUnits, p50Ms, p99Ms, bareMs } = row;
      const dollars = storeDollarsPerMillion(row).toFixed(2);
      const times = [p50Ms.toFixed(1), p99Ms.toFixed(1), (p50Ms / bareMs).toFixed(1)];
      return `| ${[name, rounds, readUnits, writeUnits, dollars, ...times].join(' | ')} |`;
    }),
  ];
}
