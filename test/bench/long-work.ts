import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, SECOND_MS } from '../../shared/domain/clock.ts';
import { createdWorldIdOf } from '../../shared/domain/world.ts';
import type { LiveHost } from './live-host.ts';
import { manyAtOnce } from './many-at-once.ts';
import { quantile } from './quantile.ts';

/*
 * What another merchant's requests feel of a long job: they are sent one after the other while nothing else happens, and
 * again while the job works.
 */

/** What a job works on. */
const PAYMENTS = 4_000;
const SEEDS = 5;
const PROBE_PAUSE_MS = 20;
const QUIET_MS = 5 * SECOND_MS;
export const ORDER = { amount: { currency: 'THB', minor: 129_900 }, method: 'promptpay' };
const MONTH_SECONDS = (30 * DAY_MS) / SECOND_MS;

export interface World {
  readonly id: string;
  readonly key: string;
}

export interface Beside {
  readonly what: string;
  readonly ms: number;
  readonly quietP97: number;
  readonly besideP97: number;
}

/** Runs until the job has left nothing to do. */
type LongWork = (host: LiveHost, owner: string, full: World) => Promise<unknown>;

const thousands = PAYMENTS.toLocaleString('en');
/** In this order: each finds the world as the one before has left it. */
const LONG_WORK: Readonly<Record<'fork' | 'move' | 'purge' | 'seed', { what: string; run: LongWork }>> = {
  fork: {
    what: `A fork of ${thousands} payments`,
    run: (host, owner, { id }) => host.ask(owner, 'POST', `/test/worlds/${id}/fork`, {}),
  },
  move: {
    what: `A move of the clock by a month, over ${thousands} expiries`,
    run: (host, _, { key }) => host.ask(key, 'POST', '/test/clock/advance', { seconds: MONTH_SECONDS }),
  },
  purge: {
    what: `A purge of ${thousands} expired payments, to the last deletion`,
    run: async (host, _, { id, key }) => {
      await host.ask(key, 'POST', '/test/data');
      await untilDeleted(id);
    },
  },
  seed: {
    what: `${SEEDS} months, each seeded in a new world`,
    run: async (host, owner) => {
      for (let nth = 0; nth < SEEDS; nth += 1) {
        // A world takes a profile once.
        const { key } = await openWorld(host, owner);
        await host.ask(key, 'POST', '/test/seed', { profile: 'month' });
      }
    },
  },
};
export type LongWorkName = keyof typeof LONG_WORK;

export async function measureLongWork(host: LiveHost, owner: string): Promise<Record<LongWorkName, Beside>> {
  const [full, other] = [await openWorld(host, owner), await openWorld(host, owner)];
  await fill(host, full.key, PAYMENTS);
  const measured: Partial<Record<LongWorkName, Beside>> = {};
  for (const [name, { what, run }] of Object.entries(LONG_WORK)) {
    await sleep(QUIET_MS);
    const quietUntil = performance.now() + QUIET_MS;
    const quietP97 = await probe(host, other, () => performance.now() > quietUntil);
    const startedAt = performance.now();
    let ms: number | undefined;
    const running = run(host, owner, full).finally(() => {
      ms = performance.now() - startedAt;
    });
    const besideP97 = await probe(host, other, () => ms !== undefined);
    await running;
    measured[name as LongWorkName] = { what, ms: Number(ms), quietP97, besideP97 };
  }
  return measured as Record<LongWorkName, Beside>;
}

/** Creates payments one after the other. @returns p97 of their times */
async function probe(host: LiveHost, { key }: World, isOver: () => boolean): Promise<number> {
  const times: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    await host.ask(key, 'POST', '/payments', ORDER);
    times.push(performance.now() - startedAt);
    await sleep(PROBE_PAUSE_MS);
  }
  return quantile(times, 0.97);
}

export function openWorld(host: LiveHost, owner: string): Promise<World> {
  return host.ask<World>(owner, 'POST', '/test/worlds', {});
}

export function fill(host: LiveHost, key: string, count: number): Promise<void> {
  return manyAtOnce(count, async () => {
    await host.ask(key, 'POST', '/payments', ORDER);
  });
}

/**
 * Until a purge has deleted what it ended: then its job waits for late writes.
 * @param id `wld_…`
 */
async function untilDeleted(id: string): Promise<void> {
  const { getWorld } = await import('../../shared/store/worlds/world.ts');
  const { readRest } = await import('../../shared/store/testkit/purge.ts');
  for (;;) {
    const { unfinished } = await readRest(await getWorld(createdWorldIdOf(id)));
    if (unfinished.every(({ lastPassFromMs }) => lastPassFromMs !== undefined)) {
      return;
    }
    await sleep(PROBE_PAUSE_MS * 10);
  }
}
