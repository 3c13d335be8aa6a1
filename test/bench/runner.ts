import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../shared/contract/operations.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { ORDER } from './life.ts';
import { type LiveHost, startLiveHost } from './live-host.ts';
import { manyAtOnce } from './many-at-once.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';
import { type Merchant, type Service, type Stand, startStand } from './stand.ts';

/*
 * What dispatching takes: the runner's time of a processor for each payment, and how many of them one merchant
 * can create in a second for long, so that the events do not come later and later.
 */

const WARM_UP_PAYMENTS = 40;
const PAYMENTS = 200;

/** Creates a second that are tried, one after another, until a rate is not held. */
const RATES = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200];
const STEP_SECONDS = 20;
/** So often a rate is tried: what else the machine does may spoil a step. */
const TRIES = 2;
/** A created payment has two: that it is created, and that the payer is to do something. */
const EVENTS_OF_CREATED = 2;
/** A rate is held where the lag in the last third of its step is at most so much more than in the first, by medians. */
const GROWTH_MAX_MS = 500;
/** And where requests keep up with it: so long after its time, each is answered (p99). */
const ANSWERED_WITHIN_MS = 1_000;
const DRAINED_WITHIN_MS = 120_000;
const POLL_MS = 100;

export async function measure(): Promise<Section> {
  const cpu = await measureProcessor();
  const steps = await findHeldRate();
  const held = Math.max(0, ...steps.filter(({ isHeld }) => isHeld).map(({ rate }) => rate));
  return {
    lines: [
      `For a payment that is created, the job runner takes ${cpu.created.toFixed(1)} ms of a processor to dispatch its ${EVENTS_OF_CREATED} events to one endpoint; when it is paid, another ${cpu.paid.toFixed(1)} for one event more.`,
      '',
      `One merchant with one endpoint, a server of its own, at \`npm start\`, ${STEP_SECONDS} seconds at each rate. *Lag* is from the response to a create to the arrival of the last of its ${EVENTS_OF_CREATED} events. A rate is held where the lag in the last third of its step is at most ${GROWTH_MAX_MS} ms above the first (medians), and 99 % of requests are answered within ${ANSWERED_WITHIN_MS} ms of their time.`,
      '',
      '| Creates a second | Answered after, p99, ms | Lag p50, ms | Lag p99, ms | First third, p50 | Last third, p50 | Held |',
      '|---:|---:|---:|---:|---:|---:|---|',
      ...steps.map(
        ({ rate, answered, p50, p99, first, last, isHeld }) =>
          `| ${[rate, ...[answered, p50, p99, first, last].map((ms) => ms.toFixed(0)), isHeld ? 'yes' : 'no'].join(' | ')} |`,
      ),
    ],
    figures: {
      'runner.cpu_ms_per_payment': cpu.created,
      'runner.cpu_ms_per_payment_paid': cpu.paid,
      'runner.creates_per_second_held': held,
      ...Object.assign(
        {},
        ...steps.map(({ rate, p50, p99 }) => ({
          [`runner.lag_p50_ms_at_${rate}`]: p50,
          [`runner.lag_p99_ms_at_${rate}`]: p99,
        })),
      ),
    },
    failures: [],
  };
}

/* --- the time of a processor --- */

async function measureProcessor(): Promise<{ readonly created: number; readonly paid: number }> {
  const stand = await startStand();
  try {
    // Requests are answered by one process, workers run in another.
    const [api, runner] = await Promise.all([
      stand.startService(stand.storeEndpoint),
      stand.startService(stand.storeEndpoint),
    ]);
    const merchant = await api.openMerchant(1);
    await stand.runFresh(runner);
    await measureSome(stand, { api, runner, merchant }, WARM_UP_PAYMENTS);
    return await measureSome(stand, { api, runner, merchant }, PAYMENTS);
  } finally {
    await stand.stop();
  }
}

async function measureSome(
  stand: Stand,
  { api, runner, merchant }: { api: Service; runner: Service; merchant: Merchant },
  count: number,
): Promise<{ readonly created: number; readonly paid: number }> {
  const { secret } = merchant;
  stand.receiver.take();
  const run = async (events: number): Promise<number> => {
    const before = await runner.call<number>('/cpu');
    await stand.runFresh(runner);
    const received = stand.receiver.take();
    if (received !== events) {
      throw new Error(`the runner told of ${received} events, not ${events}`);
    }
    return ((await runner.call<number>('/cpu')) - before) / count;
  };
  const ids: string[] = [];
  await manyAtOnce(count, async () => {
    const { id } = await api.ask<{ id: string }>(secret, operations.createPayment, { body: ORDER });
    ids.push(id);
  });
  const created = await run(EVENTS_OF_CREATED * count);
  await manyAtOnce(count, async (index) => {
    const params = { id: String(ids[index]) };
    await api.ask(secret, operations.simulatePayment, { params, body: { outcome: 'succeeded' } });
  });
  return { created, paid: await run(count) };
}

/* --- the rate that is held --- */

/** A rate for a while: milliseconds until requests were answered, and lags. */
interface Step {
  readonly rate: number;
  readonly answered: number;
  readonly p50: number;
  readonly p99: number;
  readonly first: number;
  readonly last: number;
  readonly isHeld: boolean;
}

async function findHeldRate(): Promise<Step[]> {
  const host = await startLiveHost();
  try {
    const secret = await host.openShop('busy');
    await takeStep(host, secret, Number(RATES[0]));
    const steps: Step[] = [];
    for (const rate of RATES) {
      let step: Step | undefined;
      for (let tries = 0; tries < TRIES && step?.isHeld !== true; tries += 1) {
        step = await takeStep(host, secret, rate);
      }
      steps.push(step as Step);
      if (step?.isHeld !== true) {
        break;
      }
    }
    return steps;
  } finally {
    await host.stop();
  }
}

/** Creates payments at a rate, whether or not those before are answered, and waits until all of their events arrive. */
async function takeStep(host: LiveHost, secret: string, rate: number): Promise<Step> {
  const count = rate * STEP_SECONDS;
  const startedAt = Date.now();
  const created = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const dueAt = startedAt + (index * SECOND_MS) / rate;
      await sleep(Math.max(0, dueAt - Date.now()));
      const { id } = await host.ask<{ id: string }>(secret, 'POST', '/payments', ORDER);
      const answeredAt = Date.now();
      return { id, answeredAt, tookMs: answeredAt - dueAt };
    }),
  );
  const receivedAt = (id: string) => {
    const arrivals = host.arrivals.get(id) ?? [];
    return arrivals.length < EVENTS_OF_CREATED ? undefined : Math.max(...arrivals.map(({ atMs }) => atMs));
  };
  const giveUpAt = Date.now() + DRAINED_WITHIN_MS;
  while (created.some(({ id }) => receivedAt(id) === undefined) && Date.now() < giveUpAt) {
    await sleep(POLL_MS);
  }
  const lags = created.map(({ id, answeredAt }) => (receivedAt(id) ?? Number.POSITIVE_INFINITY) - answeredAt);
  const third = Math.floor(count / 3);
  const [first, last] = [quantile(lags.slice(0, third), 0.5), quantile(lags.slice(-third), 0.5)];
  const answered = quantile(
    created.map(({ tookMs }) => tookMs),
    0.99,
  );
  return {
    rate,
    answered,
    p50: quantile(lags, 0.5),
    p99: quantile(lags, 0.99),
    first,
    last,
    isHeld: last <= first + GROWTH_MAX_MS && answered <= ANSWERED_WITHIN_MS,
  };
}
