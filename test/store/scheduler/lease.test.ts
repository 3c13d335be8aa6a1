import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import '../../support/merchant.ts';
import type { World } from '../../../shared/domain/world.ts';
import { aWorld } from '../../support/entities.ts';

const { takeLease } = await import('../../../shared/store/scheduler/lease.ts');

/** Longer than a lease lasts that nobody renews. */
const LONG_MS = 10_000;

function newWorld(): World {
  return { ...aWorld(), id: randomUUID() };
}

async function take(world: World, purpose: 'run' | 'advance' = 'run') {
  const lease = await takeLease(world, purpose);
  if (typeof lease === 'string') {
    throw new Error(`held for: ${lease}`);
  }
  return lease;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the lease of a world', () => {
  test('has one owner at a time, and says what for', async () => {
    const world = newWorld();
    const lease = await take(world, 'advance');
    expect(await takeLease(world, 'run')).toBe('advance');
    expect(await takeLease(world, 'advance')).toBe('advance');
    await lease.release();
    const next = await take(world);
    expect(await takeLease(world, 'advance')).toBe('run');
    await next.release();
  });

  test('goes to one of many that ask at once', async () => {
    const world = newWorld();
    const asked = await Promise.all(Array.from({ length: 10 }, () => takeLease(world, 'run')));
    const [lease, ...others] = asked.filter((answer) => typeof answer !== 'string');
    expect(others).toEqual([]);
    // Those who were turned away leave what they came for to the owner.
    expect(await lease?.release()).toBe(true);
  });

  test('tells its owner of a runner that was turned away, once, and of nobody else', async () => {
    const world = newWorld();
    const first = await take(world);
    await takeLease(world, 'run');
    expect(await first.release()).toBe(true);
    const second = await take(world);
    await takeLease(world, 'advance');
    expect(await second.release()).toBe(false);
  });

  test('ends by itself where its owner died, and the dead owner cannot end the next one', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const world = newWorld();
    const dead = await take(world);
    expect(dead.isLost).toBe(false);
    vi.setSystemTime(Date.now() + LONG_MS);
    expect(dead.isLost).toBe(true);
    const next = await take(world);
    await dead.release();
    expect(await takeLease(world, 'run')).toBe('run');
    await next.release();
  });

  test('lasts as long as its owner lives', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const world = newWorld();
    const lease = await take(world);
    for (let passedMs = 0; passedMs < 3 * LONG_MS; passedMs += 1_000) {
      vi.advanceTimersByTime(1_000);
      // The renewal is a real call to a real store.
      await vi.waitFor(async () => expect(await takeLease(world, 'advance')).toBe('run'));
    }
    expect(lease.isLost).toBe(false);
    await lease.release();
  });

  test('is lost to an owner that finds another one in its place', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const world = newWorld();
    const slow = await take(world);
    vi.setSystemTime(Date.now() + LONG_MS);
    const next = await take(world);
    vi.advanceTimersByTime(2_000);
    await next.release();
    expect(slow.isLost).toBe(true);
  });
});
