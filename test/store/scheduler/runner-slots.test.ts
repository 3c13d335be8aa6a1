import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import '../../support/world/merchant.ts';
import { aWorld } from '../../support/world/entities.ts';

const { Leases } = await import('../../../shared/store/scheduler/lease.ts');
const { PLACES_MAX, takePlace } = await import('../../../shared/store/scheduler/runner-slots.ts');
const { placesPk } = await import('../../../shared/store/table/keys.ts');
const { queryPartition } = await import('../../../shared/store/table/item.ts');
const { writeAll } = await import('../../../shared/store/table/write-all.ts');

const LEASE_MS = 8_000;

/** A world of a merchant that no other test has: its places are deleted after the test. */
function newWorld(mode: 'test' | 'live' = 'test', merchant = `m-${randomUUID()}`) {
  const world = aWorld({ id: randomUUID(), merchant, mode });
  onTestFinished(async () => {
    const items = await queryPartition(placesPk(world));
    await writeAll(
      [],
      items.map(({ sk }) => ({ pk: placesPk(world), sk: String(sk) })),
    );
  });
  return world;
}

/** A runner in a process of its own. */
function runner() {
  const leases = new Leases(LEASE_MS);
  onTestFinished(() => leases.close());
  return leases;
}

/** Takes places, one runner after the other, until none is free. */
async function takeAll(world: ReturnType<typeof newWorld>) {
  const taken = [];
  for (;;) {
    const leases = runner();
    const place = await takePlace(world, leases);
    if (place === null) {
      return taken;
    }
    taken.push({ leases, place });
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(['test', 'live'] as const)('the places of a merchant in %s mode', (mode) => {
  test('are as many as said, in all its worlds together, and one released is free', async () => {
    const world = newWorld(mode);
    const taken = await takeAll(world);
    expect(new Set(taken.map(({ place }) => place.sk)).size).toBe(PLACES_MAX[mode]);
    expect(taken).toHaveLength(PLACES_MAX[mode]);
    const beside = newWorld(mode, world.merchant);
    expect(await takePlace(beside, runner())).toBeNull();
    const [one] = taken;
    await one?.leases.release(one.place);
    expect(await takePlace(beside, runner())).toEqual(one?.place);
  });
});

test('another merchant and the other mode have places of their own', async () => {
  const world = newWorld();
  await takeAll(world);
  expect(await takePlace(newWorld(), runner())).not.toBeNull();
  expect(await takePlace(newWorld('live', world.merchant), runner())).not.toBeNull();
});

test('runners that look at once never share a place', async () => {
  const world = newWorld();
  const places = await Promise.all(
    Array.from({ length: 2 * PLACES_MAX.test }, () => takePlace(world, runner())),
  );
  const taken = places.flatMap((place) => (place === null ? [] : [place.sk]));
  expect(taken.length).toBeGreaterThan(0);
  expect(new Set(taken).size).toBe(taken.length);
});

test('a dead runner gives its place back when its lease ends, a living one keeps it', async () => {
  const world = newWorld();
  const taken = await takeAll(world);
  const [dead, ...living] = taken;
  dead?.leases.close();
  // The living renew in time.
  vi.advanceTimersByTime(LEASE_MS / 2);
  const endsOf = async () =>
    (await queryPartition(placesPk(world))).filter(
      ({ leaseEndsAtMs }) => Number(leaseEndsAtMs) > Date.now() + LEASE_MS / 2,
    );
  await expect.poll(async () => (await endsOf()).length).toBe(living.length);
  vi.advanceTimersByTime(LEASE_MS / 2 + 1);
  expect(await takePlace(world, runner())).toEqual(dead?.place);
  expect(await takePlace(world, runner())).toBeNull();
});
