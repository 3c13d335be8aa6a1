import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { type LiveHost, startLiveHost } from './live-host.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';

/*
 * Test worlds: how fast they are created, and whether those that have ended slow the next ones down.
 */

const WINDOW_MS = 5 * SECOND_MS;
const MANY_CLIENTS = 16;
const ENDED = 10_000;
/** The engine writes its log into its file, and the host reads the records of the stream: that is no growth. */
const SETTLED_AFTER_MS = 60 * SECOND_MS;
/** The best of these counts: another program can only slow a window down. */
const WINDOWS = 3;

interface World {
  readonly id: string;
}

export async function measure(): Promise<Section> {
  const host = await startLiveHost();
  try {
    const secret = await host.issueKey('worlds');
    await createFor(host, secret, 1, WINDOW_MS);
    const alone = await best(() => createFor(host, secret, 1, WINDOW_MS));
    const many = await best(() => createFor(host, secret, MANY_CLIENTS, WINDOW_MS));
    const seeded = await createFor(host, secret, 1, WINDOW_MS, { profile: 'small' });
    await createUntil(host, secret, ENDED);
    await sleep(SETTLED_AFTER_MS);
    const later = await best(() => createFor(host, secret, 1, WINDOW_MS));
    const kept = later.perSecond / alone.perSecond;
    return {
      lines: [
        'At `npm start`, each world created and deleted. *p50* is of the request that creates it.',
        '',
        '| | Worlds a second | p50, ms |',
        '|---|---:|---:|',
        ...[
          ['one client', alone] as const,
          [`${MANY_CLIENTS} clients`, many] as const,
          ['one client, worlds seeded with `small`', seeded] as const,
          [
            `one client, ${ENDED.toLocaleString('en')} worlds of the merchant ended a minute before`,
            later,
          ] as const,
        ].map(([name, { perSecond, p50 }]) => `| ${name} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} |`),
      ],
      figures: {
        'worlds.per_second_1_client': alone.perSecond,
        'worlds.per_second_16_clients': many.perSecond,
        'worlds.create_p50_ms': alone.p50,
        'worlds.create_seeded_p50_ms': seeded.p50,
        'worlds.kept_with_10000_ended': kept,
      },
      failures: [],
    };
  } finally {
    await host.stop();
  }
}

interface Pace {
  readonly perSecond: number;
  readonly p50: number;
}

async function best(take: () => Promise<Pace>): Promise<Pace> {
  const paces: Pace[] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    paces.push(await take());
  }
  return paces.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
}

/** Creates worlds for a while, and deletes each. */
async function createFor(
  host: LiveHost,
  secret: string,
  clients: number,
  forMs: number,
  more: object = {},
): Promise<Pace> {
  const startedAt = Date.now();
  const took: number[] = [];
  const client = async () => {
    while (Date.now() < startedAt + forMs) {
      took.push(await createOne(host, secret, more));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { perSecond: (took.length * SECOND_MS) / (Date.now() - startedAt), p50: quantile(took, 0.5) };
}

async function createUntil(host: LiveHost, secret: string, count: number): Promise<void> {
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await createOne(host, secret, {});
    }
  };
  await Promise.all(Array.from({ length: MANY_CLIENTS }, client));
}

/** @returns how many milliseconds its creation took */
async function createOne(host: LiveHost, secret: string, more: object): Promise<number> {
  const startedAt = performance.now();
  const { id } = await host.ask<World>(secret, 'POST', '/test/worlds', { name: 'bench', ...more });
  const tookMs = performance.now() - startedAt;
  await host.ask(secret, 'DELETE', `/test/worlds/${id}`);
  return tookMs;
}
