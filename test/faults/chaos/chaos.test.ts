// @module-tag nightly
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { givenNumber } from '../../support/tools/given-number.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import { type Client, clientOf } from '../../support/world/api.ts';
import {
  Inspection,
  inspectEvents,
  inspectMoment,
  inspectNumbers,
  look,
  type Seen,
} from '../model/invariants.ts';
import { type Call, Caller, Clients, type Traffic } from './caller.ts';
import { Dice } from './dice.ts';
import {
  inspectDeliveries,
  inspectDoubles,
  inspectEffects,
  inspectMoney,
  inspectTime,
  isTaken,
} from './inspect-end.ts';
import { Machines } from './machines.ts';
import { type Plot, play } from './stories.ts';

/** How long there is load, in seconds: CHAOS_SECONDS sets more. */
const LASTS_SECONDS = givenNumber('CHAOS_SECONDS', 90);
/** The seed: it repeats the choice of clients, calls and faults. */
const SEED = givenNumber('CHAOS_SEED', Math.floor(Math.random() * 1_000_000));
/** No fault is active from so long before the end of the load, so that all hosts run when the calm begins. */
const LAST_FAULT_MS = 20_000;
/** The end of the load, in which nothing is broken. */
const CALM_MS = 10_000;
const MERCHANTS = ['north', 'south', 'east'];
const CLIENTS = 8;
/** Includes clients that wait before they send again. */
const STORIES_MAX = 20;
const NEXT_STORY_MS = 20;
const QUIET_WITHIN_MS = 60_000;
const QUIET_POLL_MS = 300;
const TRANSPORT_PAUSE_MS = 100;
/** After the load: longer than every lease. */
const ANSWERED_WITHIN_MS = 90_000;
/** For the last requests, for the calm, and for all checks. */
const AFTER_MS = 240_000;
/** Longer than the schedule of attempts, the time of every payment and every delay. */
const TWO_DAYS_SECONDS = 2 * 86_400;
const LAST_PAYMENT_MINOR = 900_000_000;
const REPLAYS_AT_ONCE = 8;

const diceOf = (use: string) => new Dice(SEED, use);

test('two hosts that are killed and paused lose nothing, double nothing and keep every order', {
  timeout: LASTS_SECONDS * 1_000 + AFTER_MS,
}, async ({ task }) => {
  console.log(`chaos: CHAOS_SEED=${SEED} has the same plan`);
  const machines = await Machines.start();
  try {
    task.meta.figures = await endure(machines);
  } catch (error) {
    console.log(`what the hosts complained of (seed ${SEED}):\n${machines.complaints}`);
    throw error;
  } finally {
    await machines.stop();
  }
});

interface Merchant {
  readonly caller: Caller;
  readonly secret: string;
  readonly sinkId: string;
  readonly sinkPath: string;
  readonly plot: Plot;
}

async function endure(machines: Machines): Promise<Record<string, number>> {
  const giveUpAtMs = Date.now() + LASTS_SECONDS * 1_000 + ANSWERED_WITHIN_MS;
  const traffic: Traffic = { calls: [], giveUpAtMs, requests: 0, again: 0, longestMs: 0 };
  const clients = new Clients(CLIENTS);
  const merchants = await Promise.all(MERCHANTS.map((name) => open(name, machines, traffic, clients)));

  const endsAtMs = Date.now() + LASTS_SECONDS * 1_000;
  let calmFromMs = Number.POSITIVE_INFINITY;
  const breaking = machines.breakUntil(endsAtMs - LAST_FAULT_MS, diceOf).finally(() => {
    calmFromMs = Date.now();
  });
  await Promise.all([playStories(merchants, () => Math.max(endsAtMs, calmFromMs + CALM_MS)), breaking]);

  const patient = merchants.map(({ secret }) =>
    clientOf(secret, 'http://any-host', async (address, init) => {
      for (;;) {
        const answer = await machines.send(address, init).catch(() => null);
        if (answer !== null && answer.status !== 503) {
          return answer;
        }
        await sleep(TRANSPORT_PAUSE_MS);
      }
    }),
  );
  const whatIsLeft = async ({ sinkPath }: Merchant, api: Client) => {
    const [{ json: clock }, { json: newest }] = await Promise.all([
      api(operations.getClock),
      api(operations.listEvents, { query: { limit: '1' } }),
    ]);
    const taken = machines.front.sightings.filter((it) => it.path === sinkPath && isTaken(it));
    const published = newest.data[0]?.sequence ?? 0;
    return {
      next_job_at: clock.next_job_at,
      events: published - new Set(taken.map(({ eventId }) => eventId)).size,
    };
  };
  const untilQuiet = () =>
    expect
      .poll(() => Promise.all(merchants.map((it, index) => whatIsLeft(it, patient[index] as Client))), {
        timeout: QUIET_WITHIN_MS,
        interval: QUIET_POLL_MS,
      })
      .toEqual(merchants.map(() => ({ next_job_at: null, events: 0 })));
  await Promise.all(merchants.map((merchant) => rest(merchant, 'first')));
  await untilQuiet();
  await Promise.all(merchants.map(settleAll));
  await Promise.all(merchants.map((merchant) => rest(merchant, 'second')));
  await untilQuiet();

  const inspection = new Inspection();
  const figures = { events: 0, deliveries: 0, doubles: 0, calm: 0 };
  const ends: Seen[] = await Promise.all(patient.map((api) => look(api)));
  for (const [index, { caller, sinkPath, plot }] of merchants.entries()) {
    const seen = ends[index] as Seen;
    const { json: clock } = await (patient[index] as Client)(operations.getClock);
    const sightings = machines.front.sightings.filter(({ path }) => path === sinkPath);
    const calls = traffic.calls.filter(({ merchant }) => merchant === caller.merchant);
    const ending = { seen, calls, sightings, offsetSeconds: clock.offset_seconds, plot };
    inspectEffects(inspection, ending);
    inspectMoment(inspection, seen);
    inspectNumbers(inspection, seen);
    inspectEvents(inspection, seen);
    inspectTime(inspection, ending);
    inspectMoney(inspection, ending);
    inspectDeliveries(inspection, ending);
    figures.events += seen.events.length;
    figures.deliveries += sightings.length;
    figures.doubles += inspectDoubles(inspection, ending, machines.faults, calmFromMs);
    figures.calm += sightings.filter(({ atMs }) => atMs >= calmFromMs).length;
  }
  const effects = traffic.calls.filter(isDone);
  await replayAll(inspection, effects);
  await untilQuiet();
  const lasts = await Promise.all(
    patient.map(async (api) => (await api(operations.listEvents, { query: { limit: '1' } })).json.data[0]),
  );
  inspection.that(
    lasts.every((last, index) => last?.sequence === ends[index]?.events.length),
    'a replay has created an event',
  );
  const broken = (what: string) => machines.faults.filter((fault) => fault.what === what).length;
  const counts = {
    'kills of a host under load': broken('kill of a host'),
    'pauses of a host under load, some longer than any lease': broken('pause of a host'),
    'kills of the store under load': broken('kill of the store'),
    'requests of clients': traffic.requests,
    'of them sent again with the same key, for want of an answer': traffic.again,
    'seconds that a client waited at most to know what became of a request': Math.ceil(
      traffic.longestMs / 1_000,
    ),
    'effects, each there once, and replayed to the byte': effects.length,
    'events, without a gap and in order': figures.events,
    'deliveries that arrived': figures.deliveries,
    'of them after all faults, none of them twice': figures.calm,
    'checks that nothing was lost, doubled or out of order': inspection.end(),
  };
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
  return {
    ...counts,
    'events that were taken twice, each beside a fault': figures.doubles,
    'seed of the plan': SEED,
  };
}

async function open(
  merchant: string,
  machines: Machines,
  traffic: Traffic,
  clients: Clients,
): Promise<Merchant> {
  const args = ['--merchant', merchant, '--preset', 'owner', '--json', '--dir', machines.serviceDir];
  const { stdout } = await runCommand(process.execPath, [
    'infra/pg/pg.ts',
    'admin',
    'keys',
    'create',
    ...args,
  ]);
  const secret = String(JSON.parse(stdout).key);
  const transport = (address: string, init: RequestInit) => machines.send(address, init);
  const caller = new Caller(merchant, secret, transport, traffic, clients);
  const sink = await caller.call(operations.createWebhookSink, `${merchant}-sink`, {});
  return {
    caller,
    secret,
    sinkId: String(sink?.id),
    sinkPath: new URL(String(sink?.url)).pathname,
    plot: { abandoned: [], paidLater: [], movesUnderWay: 0 },
  };
}

/** Runs stories concurrently, always as many as there are clients that do not wait, and finishes those that began. */
async function playStories(merchants: readonly Merchant[], endsAtMs: () => number): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (let number = 1; Date.now() < endsAtMs() && failures.length === 0; number += 1) {
    const dice = diceOf(`story ${number}`);
    const { caller, sinkId, plot } = dice.pick(merchants as [Merchant, ...Merchant[]]);
    let calls = 0;
    const newKey = () => {
      calls += 1;
      return `story-${number}-call-${calls}`;
    };
    const story: Promise<void> = play({ caller, sinkId, plot, dice, newKey })
      .catch((error) => {
        failures.push(error);
      })
      .finally(() => running.delete(story));
    running.add(story);
    await sleep(NEXT_STORY_MS);
    if (running.size >= STORIES_MAX) {
      await Promise.race(running);
    }
  }
  await Promise.all(running);
  if (failures.length > 0) {
    throw failures[0];
  }
}

/** A sink that accepts everything, and time for all pending deliveries. */
async function rest({ caller, sinkId }: Merchant, which: string): Promise<void> {
  const key = `${caller.merchant}-${which}-rest`;
  const body = { fail_count: 0, respond_status: 200 };
  await caller.call(operations.updateWebhookSink, `${key}-sink`, { params: { id: sinkId }, body });
  let left = 1;
  for (let move = 1; left > 0; move += 1) {
    const seconds = move === 1 ? TWO_DAYS_SECONDS : 1;
    const moved = await caller.call(operations.advanceClock, `${key}-move-${move}`, { body: { seconds } });
    left = moved?.shifted.jobs_remaining ?? 0;
  }
}

/** Takes payments at the end, so that there is a payout in spite of all refunds, and settles everything. */
async function settleAll({ caller }: Merchant): Promise<void> {
  const key = `${caller.merchant}-last-payment`;
  const amount = { currency: 'THB', minor: LAST_PAYMENT_MINOR };
  const payment = await caller.call(operations.createPayment, key, {
    body: { amount, method: 'promptpay', reference: key },
  });
  const params = { id: String(payment?.id) };
  await caller.call(operations.simulatePayment, `${key}-paid`, { params, body: { outcome: 'succeeded' } });
  const provider = `${caller.merchant}-last-settlement`;
  await caller.call(operations.simulateSettlement, provider, { body: { provider } });
}

function isDone({ replies }: Call): boolean {
  return replies.some(({ status }) => status < 400);
}

/** Sends every request again: the same bytes come back. */
async function replayAll(inspection: Inspection, effects: readonly Call[]): Promise<void> {
  const waiting = [...effects];
  const replay = async () => {
    for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
      const { what, key, replies, send } = call;
      const before = replies.find(({ status }) => status < 400);
      const { status, text, isReplay } = await send();
      const isSame = isReplay && status === before?.status && text === before.text;
      inspection.that(isSame, `${what} (${key}) was ${before?.text} and is replayed as ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: REPLAYS_AT_ONCE }, replay));
}
