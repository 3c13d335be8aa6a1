import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTable, startStore } from '../../infra/local/store.ts';
import { operations } from '../../shared/contract/operations.ts';
import { EXPIRES_IN_MINUTES_MAX } from '../../shared/domain/payment.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { type Host, startHost } from '../support/world/host.ts';
import { copyMerchant } from './copy-merchant.ts';
import { ORDER } from './life.ts';
import {
  type Act,
  type Creation,
  createSome,
  creating,
  loadFor,
  requestHeaders,
  sendAll,
} from './load-window.ts';
import { startLocalStripe } from './localstripe.ts';
import type { Call } from './meter.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';
import { TABLE_NAME as STAND_TABLE, startStand } from './stand.ts';

/*
 * How fast payments are created, beside what people test against today, with few and with many of them stored: in
 * short windows that take turns, so that what else the machine does hits all alike.
 */

const CLIENTS = [1, 16] as const;
const ROUNDS = 5;
const WARM_UP_MS = 1_000;
const QUIET_WITHIN_MS = 300_000;
const POLL_MS = 50;
/** A created payment has two: that it is created, and that the payer is to do something. */
const EVENTS_OF_CREATED = 2;

const FEW = 100;
/** localstripe gets fewer, since it becomes ever slower. */
const MANY_OF_THEIRS = 10_000;
/** This service gets so many: those of one merchant are created as all payments are, and copied for other merchants. */
const MANY = 100_000;
const CREATED = 4_000;
const FILLING_CLIENTS = 16;

/** The meter holds each answer so long: calls that go out together do so within a few milliseconds. */
const HOLD_MS = 25;

/** A service, and how many payments it holds. */
type Compared = readonly [name: string, stored: number];

interface Comparison {
  readonly figure: string;
  readonly suffix: string;
  readonly ours: Compared;
  readonly theirs: Compared;
}

/** A service under load. */
interface Subject {
  readonly name: string;
  /** How many payments it holds before the first window. */
  readonly stored: number;
  /** How long a window is: what is fast needs less. */
  readonly windowMs: number;
  readonly act: Act;
  /** What is not measured: waits until nothing is left to do of what a window has made. */
  readonly settle: (ids: readonly string[]) => Promise<void>;
  readonly begin?: () => void;
  readonly stop: () => Promise<void>;
}

export async function measure(): Promise<Section> {
  const subjects: Subject[] = [];
  const missing: string[] = [];
  try {
    subjects.push(await startOurs(OURS, FEW), await startOursFull());
    if (await canForget()) {
      subjects.push(await startOurs(IN_MEMORY, FEW, ['--memory']));
    } else {
      missing.push('In memory, not measured: npm start has no --memory.');
    }
    const calls = await callsOfCreation();
    subjects.push(await startBare(BARE, calls, true), await startBare(BARE_IN_MEMORY, calls, false));
    try {
      subjects.push(...(await startTheirs(FEW)), ...(await startTheirs(MANY_OF_THEIRS)));
    } catch (error) {
      missing.push(`Ours alone: ${String((error as Error).message).split('\n')[0]}`);
    }
    const rates = await measureInTurns(subjects);
    const rateOf = (name: string, stored: number, clients: number) =>
      quantile(rates.get(nameOf(name, stored, clients)) ?? [], 0.5);
    /** By the windows of one round, which are close in time. */
    const ratio = (ours: Compared, theirs: Compared, clients: number) => {
      const others = rates.get(nameOf(...theirs, clients)) ?? [];
      const quotients = (rates.get(nameOf(...ours, clients)) ?? []).map(
        (perSecond, round) => perSecond / Number(others[round]),
      );
      return quantile(quotients, 0.5);
    };
    const all: readonly Comparison[] = [
      { figure: 'disk', suffix: '_to_floor', ours: [OURS, FEW], theirs: [BARE, 0] },
      { figure: 'memory', suffix: '_to_floor', ours: [IN_MEMORY, FEW], theirs: [BARE_IN_MEMORY, 0] },
      { figure: 'disk', suffix: '_to_localstripe', ours: [OURS, FEW], theirs: [THEIRS, FEW] },
      { figure: 'memory', suffix: '_to_localstripe', ours: [IN_MEMORY, FEW], theirs: [THEIRS, FEW] },
      { figure: 'bare_disk', suffix: '_to_localstripe', ours: [BARE, 0], theirs: [THEIRS, FEW] },
      { figure: 'bare_memory', suffix: '_to_localstripe', ours: [BARE_IN_MEMORY, 0], theirs: [THEIRS, FEW] },
      { figure: 'disk', suffix: '_to_localstripe_unsaved', ours: [OURS, FEW], theirs: [UNSAVED, FEW] },
      { figure: 'kept_at_100000_stored', suffix: '', ours: [OURS, MANY], theirs: [OURS, FEW] },
    ];
    const compared = all.filter(({ ours, theirs }) =>
      [ours, theirs].every((one) => rates.has(nameOf(...one, CLIENTS[0]))),
    );
    const row = (what: string, say: (clients: number) => string) =>
      `| ${what} | ${CLIENTS.map(say).join(' | ')} |`;
    return {
      lines: [
        `| Payments created a second | ${CLIENTS.map(clientsOf).join(' | ')} |`,
        `|---|${CLIENTS.map(() => '---:|').join('')}`,
        ...subjects.map(({ name, stored }) =>
          row(describe(name, stored), (clients) => rateOf(name, stored, clients).toFixed(0)),
        ),
        ...compared.map(({ ours, theirs }) =>
          row(
            `${describe(...ours)}, against ${describe(...theirs)}`,
            (clients) => `× ${ratio(ours, theirs, clients).toFixed(2)}`,
          ),
        ),
        ...missing.flatMap((line) => ['', line]),
      ],
      figures: Object.fromEntries([
        ...CLIENTS.flatMap((clients) =>
          compared.map(({ figure, suffix, ours, theirs }) => [
            `side_by_side.${figure}_${clientsOf(clients).replace(' ', '_')}${suffix}`,
            ratio(ours, theirs, clients),
          ]),
        ),
        ...CLIENTS.map((clients) => [
          `side_by_side.creates_per_second_${clientsOf(clients).replace(' ', '_')}`,
          rateOf(OURS, FEW, clients),
        ]),
      ]),
      failures: [],
    };
  } finally {
    await Promise.all(subjects.map(({ stop }) => stop()));
  }
}

const OURS = 'This service';
const IN_MEMORY = 'This service, in memory';
const BARE = 'A server that makes the calls of its store alone';
const BARE_IN_MEMORY = `${BARE}, in memory`;
const THEIRS = '`localstripe`';
const UNSAVED = '`localstripe` that saves nothing';

function clientsOf(clients: number): string {
  return `${clients} client${clients === 1 ? '' : 's'}`;
}

function describe(name: string, stored: number): string {
  return stored === 0 ? name : `${name}, ${stored.toLocaleString('en')} stored`;
}

function nameOf(name: string, stored: number, clients: number): string {
  return `${name}, ${stored}, ${clients}`;
}

/** Whether the local host can keep its data in memory alone. */
async function canForget(): Promise<boolean> {
  const { stdout } = await promisify(execFile)(process.execPath, ['infra/local/start.ts', '--help']);
  return stdout.includes('--memory');
}

/** The local host as `npm start` starts it, with one merchant that has created so many payments. */
async function startOurs(name: string, stored: number, args: readonly string[] = []): Promise<Subject> {
  const host = await startHost({ args, isOnDisk: true });
  const { subject, creation } = subjectOf(host, name, stored, 0);
  await subject.settle((await createSome(stored, FILLING_CLIENTS, creation)).ids);
  return subject;
}

/** Starts it again on a store that is full: of one merchant's payments, and as many of each of many others. */
async function startOursFull(): Promise<Subject> {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-full-'));
  const filling = await startHost({ dir });
  const { creation, subject } = subjectOf(filling, OURS, 0, 0);
  await subject.settle((await createSome(CREATED, FILLING_CLIENTS, creation)).ids);
  filling.process.kill('SIGTERM');
  await once(filling.process, 'exit');
  const others = Array.from({ length: MANY / CREATED - 1 }, (_, index) => `other-${index}`);
  copyMerchant(path.join(dir, 'payments.db'), filling.tableName, 'demo', others);
  return subjectOf(await startHost({ dir }), OURS, MANY, CREATED).subject;
}

/** The calls of the store that create a payment, with that which logs the request. */
async function callsOfCreation(): Promise<readonly Call[]> {
  const stand = await startStand({ holdMs: HOLD_MS });
  try {
    const service = await stand.startService(stand.meter.endpoint);
    const { secret } = await service.openMerchant(0);
    // The calls of a merchant's first payment are not those of the others.
    await service.ask(secret, operations.createPayment, { body: ORDER });
    stand.meter.take();
    stand.meter.takeLogging();
    await service.ask(secret, operations.createPayment, { body: ORDER });
    return [...stand.meter.take(), ...stand.meter.takeLogging()];
  } finally {
    await stand.stop();
  }
}

/** A server that only makes these calls, on an engine on which nothing runs beside it. */
async function startBare(name: string, calls: readonly Call[], isSaved: boolean): Promise<Subject> {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-store-'));
  const store = await startStore(isSaved ? path.join(dir, 'payments.db') : null);
  await createTable(store.endpoint, STAND_TABLE);
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    [VARIABLES.tableName]: STAND_TABLE,
  };
  const server = fork(new URL('./bare-server.ts', import.meta.url), { env });
  server.send(calls);
  const [port] = await once(server, 'message');
  return {
    name,
    stored: 0,
    windowMs: 1_000,
    act: creating({
      url: `http://127.0.0.1:${port}`,
      headers: () => requestHeaders('none'),
      body: JSON.stringify(ORDER),
    }),
    settle: async () => undefined,
    stop: async () => {
      server.disconnect();
      await store.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** @param created how many payments the merchant that is under load has created before */
function subjectOf(
  { baseUrl, key, stop }: Host,
  name: string,
  stored: number,
  created: number,
): { readonly subject: Subject; readonly creation: Creation } {
  let events = created * EVENTS_OF_CREATED;
  const creation = {
    url: `${baseUrl}/api/v1/payments`,
    headers: () => requestHeaders(key),
    // No payment expires while anything is measured.
    body: JSON.stringify({ ...ORDER, expires_in_minutes: EXPIRES_IN_MINUTES_MAX }),
  };
  const subject: Subject = {
    name,
    stored,
    windowMs: 2_000,
    act: creating(creation),
    // Every event is published before the next window, by the runner that runs along with this one.
    settle: async (ids) => {
      events += ids.length * EVENTS_OF_CREATED;
      const giveUpAt = Date.now() + QUIET_WITHIN_MS;
      while ((await newestSequence(baseUrl, key)) < events) {
        if (Date.now() > giveUpAt) {
          throw new Error(`${name} did not publish ${events} events`);
        }
        await sleep(POLL_MS);
      }
    },
    stop,
  };
  return { subject, creation };
}

async function newestSequence(baseUrl: string, key: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/api/v1/events?limit=1`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: readonly { sequence: number }[] };
  return data[0]?.sequence ?? 0;
}

/** As it comes, and with its saving taken out: both in one process, which holds so many payments. */
async function startTheirs(stored: number): Promise<Subject[]> {
  const { baseUrl, setSaving, stop } = await startLocalStripe();
  const url = `${baseUrl}/v1/payment_intents`;
  const headers = { Authorization: 'Bearer sk_test_12345', 'Content-Type': 'application/json' };
  const { amount, description, reference } = ORDER;
  const body = JSON.stringify({
    amount: amount.minor,
    currency: 'thb',
    metadata: { description, reference },
  });
  const creation = { url, headers: () => headers, body };
  const subject = {
    stored,
    act: creating(creation),
    settle: async (ids: readonly string[]) => {
      setSaving(false);
      await sendAll(
        'DELETE',
        ids.map((id) => `${url}/${id}`),
        headers,
      );
    },
  };
  await createSome(stored, FILLING_CLIENTS, creation);
  return [
    { ...subject, name: THEIRS, windowMs: 1_000, begin: () => setSaving(true), stop },
    { ...subject, name: UNSAVED, windowMs: 300, stop: async () => undefined },
  ];
}

/** Creates per second of every window, in the order of the rounds. */
type Rates = Map<string, number[]>;

async function measureInTurns(subjects: readonly Subject[]): Promise<Rates> {
  const rates: Rates = new Map();
  for (const { act, settle } of subjects) {
    await settle((await loadFor(WARM_UP_MS, Math.max(...CLIENTS), act)).ids);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const clients of CLIENTS) {
      // There and back again, so that no subject is always the first.
      for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
        subject.begin?.();
        const { perSecond, ids } = await loadFor(subject.windowMs, clients, subject.act);
        await subject.settle(ids);
        const name = nameOf(subject.name, subject.stored, clients);
        rates.set(name, [...(rates.get(name) ?? []), perSecond]);
      }
    }
  }
  return rates;
}
