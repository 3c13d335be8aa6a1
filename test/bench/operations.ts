import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBus } from '../../infra/local/bus.ts';
import { createTable, startStore } from '../../infra/local/store.ts';
import { BASE_URL_VARIABLE } from '../../shared/contract/base-url.ts';
import { BUS_NAME_VARIABLE, WORLD_DUE } from '../../shared/contract/bus.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { TABLE_NAME_VARIABLE } from '../../shared/store/table.ts';
import type { Client } from '../support/api.ts';
import { type Sent, send } from '../support/send.ts';
import { describeCost, type LifeOfPayment, storeDollars } from './cost.ts';
import { type Call, type Meter, sequentialRounds, startMeter } from './meter.ts';
import { openMerchant, startReceiver } from './own-store.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';
import type { Addresses } from './service.ts';

/*
 * What every operation asks of the store, and how long it takes. Two services stand on one store: one speaks with it
 * directly, and its answers are timed; the other speaks through a meter, which counts.
 */

/** An operation of the merchant API may wait for the store so many times, one after another. */
const ROUNDS_MAX = 3;
const REPETITIONS = { read: 120, change: 50, kit: 20, stepwise: 5, worker: 20 };
/** Of so many repetitions, one is metered. */
const PER_METERED = 10;
/** Each that was metered is replayed so often. */
const REPLAYS = 5;
/** Before anything is measured: connections are open then, and code is compiled. */
const WARM_UPS = 3;
const READY_AT_ONCE = 4;
/** The meter holds each answer so long: calls that go out together do so within a few milliseconds. */
const HOLD_MS = 25;

const TABLE_NAME = 'bench';
const BUS_NAME = 'bench';
/** What a list shows where no limit is given. */
const PAGE = 20;
const TEST_KIT = '/api/v1/test/';

interface Measured {
  readonly name: string;
  readonly rounds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How long the same calls of the store take by themselves. */
  readonly bareMs: number;
}

/** Something to be measured, at one of the two services: it is made ready, and then done. */
interface Subject {
  readonly name: string;
  readonly repetitions: number;
  readonly ready: (service: Addresses) => Promise<() => Promise<unknown>>;
}

/** Measures every operation that asks for a key, and the workers. */
export async function measure(): Promise<Section> {
  const bench = await startBench();
  try {
    // First, while no other world has anything to do.
    const workers = await measureAll(bench, workersOf(bench));
    const life = await measureLife(bench);
    const busy = await newBusyMerchant(bench);
    const keyed = allOperations.filter(({ permission }) => permission !== null);
    const [kit, merchant] = [true, false].map((isKit) =>
      keyed.filter((row) => isOfKit(row) === isKit).map((row) => operationOf(bench, row, busy)),
    ) as [Subject[], Subject[]];
    const measured = await measureAll(bench, merchant);
    console.log(['\nThe test kit:\n', ...table(await measureAll(bench, kit))].join('\n'));
    const cost = describeCost(life);
    return {
      name: 'bench: operations',
      lines: [
        ...cost.lines,
        '',
        `Every operation of the merchant API, warm, over HTTP on one machine; lists are those of a merchant with a month of payments, a page of ${PAGE}. *Rounds* are calls of the store that wait for one another (more than ${ROUNDS_MAX} fail). *To store* is p50 against the time of the very same calls alone, sent straight to the store again in the same run, one after another or together as they were, with conditions that hold.`,
        '',
        ...table([...measured, ...workers]),
      ],
      failures: [
        ...cost.failures,
        ...measured
          .filter(({ rounds }) => rounds > ROUNDS_MAX)
          .map(
            ({ name, rounds }) => `${name} waits for the store ${rounds} times, not ${ROUNDS_MAX} at most`,
          ),
      ],
    };
  } finally {
    await bench.stop();
  }
}

/* --- the services --- */

interface Bench {
  readonly direct: Addresses;
  readonly metered: Addresses;
  readonly meter: Meter;
  stop(): Promise<void>;
}

async function startBench(): Promise<Bench> {
  const credentials = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  Object.assign(process.env, credentials);
  // In a file, for the engine's stream is kept fast there.
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-bench-'));
  const store = await startStore(path.join(dir, 'payments.db'));
  const meter = await startMeter(store.endpoint, HOLD_MS);
  const bus = await startBus(BUS_NAME, () => undefined);
  const receiver = await startReceiver();
  // For the services, and for what is put into the store past them.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
    [TABLE_NAME_VARIABLE]: TABLE_NAME,
    [BUS_NAME_VARIABLE]: BUS_NAME,
    // So that deliveries do not count as requests.
    [BASE_URL_VARIABLE]: receiver.url,
    POWERTOOLS_LOG_LEVEL: 'WARN',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  await createTable(store.endpoint, TABLE_NAME);
  const services = [startService(store.endpoint), startService(meter.endpoint)] as const;
  const [direct, metered] = await Promise.all([services[0].addresses, services[1].addresses]);
  return {
    direct,
    metered,
    meter,
    stop: async () => {
      for (const { process: child } of services) {
        child.disconnect();
      }
      receiver.stop();
      bus.stop();
      meter.stop();
      await store.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function startService(endpoint: string): { process: ChildProcess; addresses: Promise<Addresses> } {
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
  const child = fork(new URL('./service.ts', import.meta.url), { env });
  return { process: child, addresses: once(child, 'message').then(([addresses]) => addresses as Addresses) };
}

/* --- measuring --- */

async function measureAll(bench: Bench, subjects: readonly Subject[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const subject of subjects) {
    measured.push(await measureOne(bench, subject));
  }
  return measured;
}

async function measureOne({ direct, metered, meter }: Bench, subject: Subject): Promise<Measured> {
  const durations: number[] = [];
  const metering: (readonly Call[])[] = [];
  const replays: number[] = [];
  const at = async (service: Addresses, count: number): Promise<void> => {
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
    name: subject.name,
    rounds: middle(sequentialRounds),
    readUnits: middle((calls) => unitsOf(calls).readUnits),
    writeUnits: middle((calls) => unitsOf(calls).writeUnits),
    p50Ms: quantile(durations, 0.5),
    p99Ms: quantile(durations, 0.99),
    bareMs: quantile(replays, 0.5),
  };
}

function unitsOf(calls: readonly Call[]): Pick<LifeOfPayment, 'readUnits' | 'writeUnits'> {
  const sum = (unit: 'readUnits' | 'writeUnits') => calls.reduce((total, call) => total + call[unit], 0);
  return { readUnits: sum('readUnits'), writeUnits: sum('writeUnits') };
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

/** @param busy who asks for lists, so that there is a page of them */
function operationOf(bench: Bench, row: Operation, busy: Merchant): Subject {
  const { idempotent, summary: name } = row;
  const repetitions = repetitionsOf(row);
  const readyFor = async (service: Addresses) => {
    const { acceptableRequest } = await import('../support/resources.ts');
    const isList = row.query !== undefined && !row.path.includes('{');
    const { secret } = isList ? busy : await newMerchant();
    // A service that has seen a key knows its world.
    await ask(service.api, secret, operations.getClock);
    const client = (async (asked, sent) => ask(bench.direct.api, secret, asked, sent)) as Client;
    const sent = await acceptableRequest(row, client);
    return () => ask(service.api, secret, row, sent);
  };
  if (idempotent) {
    return { name, repetitions, ready: readyFor };
  }
  // What changes nothing can be asked again.
  const made = new Map<Addresses, ReturnType<typeof readyFor>>();
  const ready = (service: Addresses) => {
    const act = made.get(service) ?? readyFor(service);
    made.set(service, act);
    return act;
  };
  return { name, repetitions, ready };
}

interface Merchant {
  readonly merchant: string;
  readonly secret: string;
}

function newName(): string {
  return `bench-${randomUUID()}`;
}

async function newMerchant(): Promise<Merchant> {
  const { issueApiKey } = await import('../../shared/store/api-key.ts');
  const merchant = newName();
  const order = { mode: 'test', permissions: PRESETS.owner, version: NEWEST_VERSION, label: null } as const;
  const { secret } = await issueApiKey({ merchant, ...order }, 'bench', Date.now());
  return { merchant, secret };
}

async function ask(base: string, secret: string, row: Operation, sent?: Sent) {
  const { response, text } = await send(base, secret, row, sent);
  if (response.status !== row.success.status) {
    throw new Error(`${row.id} answered ${response.status}: ${text}`);
  }
  return { status: response.status, json: JSON.parse(text) };
}

const CREATE = { body: operations.createPayment.example } satisfies Sent;

/** The workers, where one world has something to do. */
function workersOf(bench: Bench): Subject[] {
  const repetitions = REPETITIONS.worker;
  const newWorld = async () => {
    const { secret, world } = await openMerchant(newName());
    await ask(bench.direct.api, secret, operations.createPayment, CREATE);
    return world.id;
  };
  let due: Promise<string> | undefined;
  return [
    {
      name: 'Clock tick that finds one world',
      repetitions,
      ready: async ({ workers }) => {
        due ??= newWorld();
        await due;
        return () => work(workers, 'clock-tick', {});
      },
    },
    {
      name: 'Job runner: two events of a payment, to one receiver',
      repetitions,
      ready: async (service) => {
        const worldId = await newWorld();
        return () => runJobs(service, worldId);
      },
    },
  ];
}

/** A payment that is created, read once and paid, and its three events, delivered to one receiver in two runs. */
async function measureLife(bench: Bench): Promise<LifeOfPayment> {
  const { secret, world } = await openMerchant(newName());
  const live = async () => {
    bench.meter.take();
    const { json: payment } = await ask(bench.metered.api, secret, operations.createPayment, CREATE);
    await runJobs(bench.metered, world.id);
    const params = { id: payment.id };
    await ask(bench.metered.api, secret, operations.getPayment, { params });
    await ask(bench.metered.api, secret, operations.simulatePayment, {
      params,
      body: { outcome: 'succeeded' },
    });
    await runJobs(bench.metered, world.id);
    return unitsOf(bench.meter.take());
  };
  await live();
  return { ...(await live()), requests: 3, runs: 2 };
}

/** A merchant who has a month behind, and whose newest payments have told of themselves. */
async function newBusyMerchant(bench: Bench): Promise<Merchant> {
  const merchant = newName();
  const { secret, world } = await openMerchant(merchant);
  await ask(bench.direct.api, secret, operations.seedTestData, { body: { profile: 'month' } });
  for (let made = 0; made < PAGE; made += 1) {
    await ask(bench.direct.api, secret, operations.createPayment, CREATE);
  }
  await runJobs(bench.direct, world.id);
  return { merchant, secret };
}

function runJobs({ workers }: Addresses, worldId: string): Promise<void> {
  return work(workers, 'job-runner', { ...WORLD_DUE, detail: { worldId } });
}

async function work(workers: string, name: string, event: object): Promise<void> {
  const response = await fetch(`${workers}/${name}`, { method: 'POST', body: JSON.stringify(event) });
  if (!response.ok) {
    throw new Error(`${name}: ${await response.text()}`);
  }
}

/* --- what is said of it --- */

function table(rows: readonly Measured[]): string[] {
  return [
    '| Operation | Rounds | Read units | Write units | $ per million | p50, ms | p99, ms | To store |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...rows.map((row) => {
      const { name, rounds, readUnits, writeUnits, p50Ms, p99Ms, bareMs } = row;
      const dollars = (storeDollars(row) * 1e6).toFixed(2);
      const times = [p50Ms.toFixed(1), p99Ms.toFixed(1), (p50Ms / bareMs).toFixed(1)];
      return `| ${[name, rounds, readUnits, writeUnits, dollars, ...times].join(' | ')} |`;
    }),
  ];
}
