import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../shared/domain/clock.ts';
import { ORDER } from './life.ts';
import { type LiveHost, startLiveHost } from './live-host.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';

/* Whether anything becomes worse with time, at a load that the service should hold for ever. */

const MERCHANTS = 4;
const CLIENTS = 8;
/** Each client begins a payment so often. */
const PAUSE_MS = SECOND_MS;
/** One of so many payments is never paid and expires soon; the others are read and paid. */
const PER_EXPIRING = 8;
const EXPIRES_IN_MINUTES = 1;
const ROW_MS = 30 * SECOND_MS;
const SAMPLE_MS = 2 * SECOND_MS;
/** After the last request: whatever is not there by then is lost. */
const DELIVERED_WITHIN_MS = 2 * MINUTE_MS;
const POLL_MS = 500;
const MEGABYTE = 1_000_000;
/** What is not worth a word: both thirds are taken for so much more, in milliseconds and bytes. */
const SLACK = { lag: 500, lateness: 1_000, memory: 100 * MEGABYTE };

/** Something that came after the instant from which it is waited for. */
interface Awaited {
  readonly id: string;
  readonly type: string;
  readonly fromMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly host: number;
  readonly engine: number;
  readonly disk: number;
  readonly payments: number;
}

/** A part of the soak, by the instants from which things were waited for. */
interface Part {
  readonly lagP50: number;
  readonly lagP99: number;
  readonly lateness: number;
  readonly host: number;
  readonly engine: number;
  readonly bytesPerPayment: number;
}

export async function measure({ minutes }: { minutes: number }): Promise<Section> {
  const host = await startLiveHost();
  try {
    const events: Awaited[] = [];
    const expiries: Awaited[] = [];
    const samples: Sample[] = [];
    let payments = 0;
    const secrets: string[] = [];
    for (let index = 0; index < MERCHANTS; index += 1) {
      secrets.push(await host.openMerchant(`merchant-${index}`));
    }
    const beganAt = Date.now();
    const endsAt = beganAt + minutes * MINUTE_MS;
    const sample = () => samples.push({ atMs: Date.now(), payments, ...host.sizes() });
    sample();
    const sampling = setInterval(sample, SAMPLE_MS);
    const client = async (_: unknown, index: number) => {
      const secret = String(secrets[index % MERCHANTS]);
      for (let turn = 1; Date.now() < endsAt; turn += 1) {
        const nextAt = Date.now() + PAUSE_MS;
        const isExpiring = turn % PER_EXPIRING === 0;
        await (isExpiring ? createExpiring(host, secret, expiries) : liveShortly(host, secret, events));
        payments += 1;
        await sleep(Math.max(0, nextAt - Date.now()));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    clearInterval(sampling);
    sample();
    const giveUpAt = Date.now() + DELIVERED_WITHIN_MS;
    while (lateOf(host, [...events, ...expiries]).length < events.length + expiries.length) {
      if (Date.now() > giveUpAt) {
        break;
      }
      await sleep(POLL_MS);
    }
    const awaited = events.length + expiries.length;
    const lost = awaited - lateOf(host, [...events, ...expiries]).length;
    const part = (fromMs: number, untilMs: number): Part => {
      const within = <Timed>(all: readonly Timed[], at: (one: Timed) => number) =>
        all.filter((one) => at(one) >= fromMs && at(one) < untilMs);
      const of = (all: readonly Awaited[]) =>
        lateOf(
          host,
          within(all, ({ fromMs: at }) => at),
        );
      const sizes = within(samples, ({ atMs }) => atMs);
      const middle = (what: 'host' | 'engine') =>
        quantile(
          sizes.map((one) => one[what]),
          0.5,
        );
      const [first, last] = [sizes.at(0), sizes.at(-1)];
      return {
        lagP50: quantile(of(events), 0.5),
        lagP99: quantile(of(events), 0.99),
        lateness: quantile(of(expiries), 0.5),
        host: middle('host'),
        engine: middle('engine'),
        bytesPerPayment:
          (Number(last?.disk) - Number(first?.disk)) / (Number(last?.payments) - Number(first?.payments)),
      };
    };
    const thirdMs = (endsAt - beganAt) / 3;
    const [first, last] = [part(beganAt, beganAt + thirdMs), part(endsAt - thirdMs, endsAt)];
    // The expiries of the first payments come after a minute: theirs are other thirds.
    const [firstDue, lastDue] = thirdsOf(lateOf(host, expiries));
    const rows = Array.from({ length: Math.ceil((endsAt - beganAt) / ROW_MS) }, (_, index) => ({
      untilMs: (index + 1) * ROW_MS,
      ...part(beganAt + index * ROW_MS, beganAt + (index + 1) * ROW_MS),
    }));
    const growth = (from: number, to: number, slack = 0) => (to + slack) / (from + slack);
    return {
      lines: [
        `${CLIENTS} clients of ${MERCHANTS} merchants with a sink each, for ${minutes} minutes at \`npm start\`: each creates a payment every ${PAUSE_MS} ms, reads it and has it paid; one of ${PER_EXPIRING} is left to expire after a minute. *Lag* is from a response to the arrival of its event, *lateness* from an expiry to the arrival of \`payment.expired\`; both by medians unless said. ${payments.toLocaleString('en')} payments, ${awaited.toLocaleString('en')} events waited for, ${lost} lost.`,
        '',
        '| After, s | Lag, ms | Lag p99, ms | Lateness, ms | Memory of the host, MB | Of the engine, MB | Bytes on disk for each payment |',
        '|---:|---:|---:|---:|---:|---:|---:|',
        ...rows.map(({ untilMs, lagP50, lagP99, lateness, host: node, engine, bytesPerPayment }) => {
          const cells = [untilMs / SECOND_MS, lagP50, lagP99, lateness, node / MEGABYTE, engine / MEGABYTE];
          return `| ${[...cells, bytesPerPayment].map((cell) => (Number.isNaN(cell) ? '' : Math.round(cell).toLocaleString('en'))).join(' | ')} |`;
        }),
        '',
        `The last third must not be clearly worse than the first: a growth is the quotient of their medians. ${SLACK.lag} ms are added to both lags before, ${SLACK.lateness} ms to both latenesses and ${SLACK.memory / MEGABYTE} MB to both memories, which hides small growths: a lag of 84 ms may become 376 ms. Of the disk, it is the bytes for each payment.`,
      ],
      figures: {
        'soak.payments': payments,
        'soak.event_lag_p50_ms': quantile(lateOf(host, events), 0.5),
        'soak.event_lag_p99_ms': quantile(lateOf(host, events), 0.99),
        'soak.job_lateness_p50_ms': quantile(lateOf(host, expiries), 0.5),
        'soak.job_lateness_p99_ms': quantile(lateOf(host, expiries), 0.99),
        'soak.host_memory_mb': last.host / MEGABYTE,
        'soak.engine_memory_mb': last.engine / MEGABYTE,
        'soak.disk_bytes_per_payment': last.bytesPerPayment,
        'soak.event_lag_growth': growth(first.lagP50, last.lagP50, SLACK.lag),
        'soak.job_lateness_growth': growth(firstDue, lastDue, SLACK.lateness),
        'soak.host_memory_growth': growth(first.host, last.host, SLACK.memory),
        'soak.engine_memory_growth': growth(first.engine, last.engine, SLACK.memory),
        'soak.disk_bytes_per_payment_growth': growth(first.bytesPerPayment, last.bytesPerPayment),
      },
      failures:
        lost > 0 ? [`${lost} of ${awaited} events did not arrive within ${DELIVERED_WITHIN_MS} ms`] : [],
    };
  } finally {
    await host.stop();
  }
}

/** A payment that is created, read and paid. */
async function liveShortly(host: LiveHost, secret: string, events: Awaited[]): Promise<void> {
  const { id } = await host.ask<{ id: string }>(secret, 'POST', '/payments', ORDER);
  const createdAt = Date.now();
  events.push(
    { id, type: 'payment.created', fromMs: createdAt },
    { id, type: 'payment.requires_action', fromMs: createdAt },
  );
  await host.ask(secret, 'GET', `/payments/${id}`);
  await host.ask(secret, 'POST', `/test/payments/${id}/simulate`, { outcome: 'succeeded' });
  events.push({ id, type: 'payment.succeeded', fromMs: Date.now() });
}

async function createExpiring(host: LiveHost, secret: string, expiries: Awaited[]): Promise<void> {
  const order = { ...ORDER, expires_in_minutes: EXPIRES_IN_MINUTES };
  const payment = await host.ask<{ id: string; expires_at: string }>(secret, 'POST', '/payments', order);
  expiries.push({ id: payment.id, type: 'payment.expired', fromMs: Date.parse(payment.expires_at) });
}

/** How long each of what has come was waited for. */
function lateOf(host: LiveHost, awaited: readonly Awaited[]): number[] {
  return awaited.flatMap(({ id, type, fromMs }) => {
    const arrival = host.arrivals.get(id)?.find((one) => one.type === type);
    return arrival === undefined ? [] : [arrival.atMs - fromMs];
  });
}

function thirdsOf(values: readonly number[]): [first: number, last: number] {
  const third = Math.floor(values.length / 3);
  return [quantile(values.slice(0, third), 0.5), quantile(values.slice(-third), 0.5)];
}
