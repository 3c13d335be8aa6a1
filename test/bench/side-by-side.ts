import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { worldIdOf } from '../../shared/domain/world.ts';
import { aSink, aWorld } from '../support/entities.ts';
import { startHost } from '../support/host.ts';
import { countDue, markOf, storePayments } from './engine-file.ts';
import { type Creation, createSome, loadFor, sendAll } from './load-window.ts';
import { startLocalStripe } from './localstripe.ts';
import { ORDER } from './payment-life.ts';
import type { Section } from './section.ts';

/*
 * How fast payments are created, beside what people test against today, with few and with many of them stored: in
 * short windows that take turns, so that what else the machine does hits all alike.
 */

const STORED = [100, 10_000] as const;
const CLIENTS = [1, 16] as const;
const ROUNDS = 5;
const WARM_UP_MS = 1_000;
const QUIET_WITHIN_MS = 30_000;
const POLL_MS = 50;
/** What is stored must not matter: with the most of it, so much of the speed that is there with the least. */
const KEPT_MIN = 0.9;

type StoredCount = (typeof STORED)[number];

/** A service under load, which holds as many payments before every window. */
interface Subject {
  readonly name: string;
  readonly stored: StoredCount;
  /** How long a window is: what is fast needs less. */
  readonly windowMs: number;
  readonly creation: Creation;
  /** What is not measured: waits until nothing is left to do, and takes out what a window has made. */
  readonly settle: (ids: readonly string[]) => Promise<void>;
  readonly begin?: () => void;
  readonly stop: () => Promise<void>;
}

export async function measure(): Promise<Section> {
  const subjects: Subject[] = [];
  let missing: string | null = null;
  try {
    for (const stored of STORED) {
      subjects.push(await startOurs(stored));
    }
    try {
      for (const stored of STORED) {
        subjects.push(...(await startTheirs(stored)));
      }
    } catch (error) {
      missing = String((error as Error).message).split('\n')[0] ?? '';
    }
    const rates = await measureInTurns(subjects);
    return {
      lines: [...tableOf(subjects, rates), ...(missing === null ? [] : ['', `Ours alone: ${missing}`])],
      figures: {},
      failures: CLIENTS.flatMap((clients) => {
        const kept = keptOf(rates, clients);
        return kept < KEPT_MIN
          ? [`with ${clients} clients, ${kept.toFixed(2)} of the speed is left at ${STORED[1]} stored`]
          : [];
      }),
    };
  } finally {
    await Promise.all(subjects.map(({ stop }) => stop()));
  }
}

const OURS = 'This service';
const THEIRS = '`localstripe`';
const UNSAVED = '`localstripe` that saves nothing';

/** The local host as `npm start` starts it, on a file, with one merchant who has so many payments. */
async function startOurs(stored: StoredCount): Promise<Subject> {
  const { baseUrl, key, dir, tableName, dynamodbEndpoint, stop } = await startHost();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: dynamodbEndpoint, region: 'local', credentials });
  const table = { file: path.join(dir, 'payments.db'), tableName };
  const world = aWorld({ id: worldIdOf('demo', 'test') });
  await storePayments(table, DynamoDBDocumentClient.from(client), { world, sink: aSink() }, stored);
  client.destroy();
  const mark = markOf(table, world);
  return {
    name: OURS,
    stored,
    windowMs: 2_000,
    creation: {
      url: `${baseUrl}/api/v1/payments`,
      headers: () => ({
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      }),
      body: JSON.stringify({ ...ORDER, reference: 'order-1042' }),
    },
    settle: async () => {
      const giveUpAt = Date.now() + QUIET_WITHIN_MS;
      // Every event is published before the next window, by the runner that runs along with this one.
      while (countDue(table, Date.now()) > 0 && Date.now() < giveUpAt) {
        await sleep(POLL_MS);
      }
      mark.removeLater();
    },
    stop,
  };
}

/** As it comes, and with its saving taken out: both in one process, which holds so many payments. */
async function startTheirs(stored: StoredCount): Promise<Subject[]> {
  const { baseUrl, setSaving, stop } = await startLocalStripe();
  const url = `${baseUrl}/v1/payment_intents`;
  const headers = { Authorization: 'Bearer sk_test_12345', 'Content-Type': 'application/json' };
  const { amount, description } = ORDER;
  const body = JSON.stringify({
    amount: amount.minor,
    currency: 'thb',
    metadata: { description, reference: 'order-1042' },
  });
  await createSome(stored, 16, { url, headers: () => headers, body });
  const subject = {
    stored,
    creation: { url, headers: () => headers, body },
    settle: async (ids: readonly string[]) => {
      setSaving(false);
      await sendAll(
        'DELETE',
        ids.map((id) => `${url}/${id}`),
        headers,
      );
    },
  };
  return [
    { ...subject, name: THEIRS, windowMs: 1_000, begin: () => setSaving(true), stop },
    { ...subject, name: UNSAVED, windowMs: 300, stop: async () => undefined },
  ];
}

/** Creates per second of every window, in the order of the rounds. */
type Rates = Map<string, number[]>;

async function measureInTurns(subjects: readonly Subject[]): Promise<Rates> {
  const rates: Rates = new Map();
  for (const { creation, settle } of subjects) {
    await settle((await loadFor(WARM_UP_MS, Math.max(...CLIENTS), creation)).ids);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const clients of CLIENTS) {
      // There and back again, so that nobody is always the first.
      for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
        subject.begin?.();
        const { perSecond, ids } = await loadFor(subject.windowMs, clients, subject.creation);
        await subject.settle(ids);
        const name = nameOf(subject.name, subject.stored, clients);
        rates.set(name, [...(rates.get(name) ?? []), perSecond]);
      }
    }
  }
  return rates;
}

function nameOf(name: string, stored: number, clients: number): string {
  return `${name}, ${stored.toLocaleString('en')} stored, ${clients}`;
}

function tableOf(subjects: readonly Subject[], rates: Rates): string[] {
  const rate = (name: string, stored: number, clients: number) =>
    median(rates.get(nameOf(name, stored, clients)) ?? []);
  const row = (what: string, say: (clients: number) => string) =>
    `| ${what} | ${CLIENTS.map(say).join(' | ')} |`;
  const names = [...new Set(subjects.map(({ name }) => name))];
  return [
    `| Payments created a second | ${CLIENTS.map((clients) => `${clients} client${clients === 1 ? '' : 's'}`).join(' | ')} |`,
    `|---|${CLIENTS.map(() => '---:|').join('')}`,
    ...names.flatMap((name) =>
      STORED.map((stored) =>
        row(`${name}, ${stored.toLocaleString('en')} stored`, (clients) =>
          rate(name, stored, clients).toFixed(0),
        ),
      ),
    ),
    ...names
      .filter((name) => name !== OURS)
      .flatMap((name) =>
        STORED.map((stored) =>
          row(
            `Ours against ${name}, ${stored.toLocaleString('en')} stored`,
            (clients) => `× ${(rate(OURS, stored, clients) / rate(name, stored, clients)).toFixed(2)}`,
          ),
        ),
      ),
    row('Ours, what 10,000 stored leave of the speed', (clients) => keptOf(rates, clients).toFixed(2)),
  ];
}

/** How fast ours is when full, against when it is nearly empty: by the windows of one round, which are close in time. */
function keptOf(rates: Rates, clients: number): number {
  const [few, many] = STORED.map((stored) => rates.get(nameOf(OURS, stored, clients)) ?? []);
  return median((few ?? []).map((perSecond, round) => Number(many?.[round]) / perSecond));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? Number(sorted[middle])
    : (Number(sorted[middle - 1]) + Number(sorted[middle])) / 2;
}
