import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import '../../support/world/merchant.ts';
import { aWorld } from '../../support/world/entities.ts';

const { Leases } = await import('../../../shared/store/scheduler/lease.ts');
const { RUNNER_SLOTS_MAX, takeRunnerSlot } = await import('../../../shared/store/scheduler/runner-slots.ts');
const { runnerSlotsPk } = await import('../../../shared/store/table/keys.ts');
const { queryPartition } = await import('../../../shared/store/table/item.ts');
const { writeAll } = await import('../../../shared/store/table/write-all.ts');

const LEASE_MS = 8_000;

/** A world of a merchant that no other test has: its slots are deleted after the test. */
function newWorld(mode: 'test' | 'live' = 'test', merchant = `m-${randomUUID()}`) {
  const world = aWorld({ id: randomUUID(), merchant, mode });
  onTestFinished(async () => {
    const items = await queryPartition(runnerSlotsPk(world));
    await writeAll(
      [],
      items.map(({ sk }) => ({ pk: runnerSlotsPk(world), sk: String(sk) })),
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

/** Takes slots, one runner after the other, until none is free. */
async function takeAll(world: ReturnType<typeof newWorld>) {
  const taken = [];
  for (;;) {
    const leases = runner();
    const slot = await takeRunnerSlot(world, leases);
    if (slot === null) {
      return taken;
    }
    taken.push({ leases, slot });
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(['test', 'live'] as const)('the slots of a merchant in %s mode', (mode) => {
  test('are as many as said, in all its worlds together, and one released is free', async () => {
    const world = newWorld(mode);
    const taken = await takeAll(world);
    expect(new Set(taken.map(({ slot }) => slot.sk)).size).toBe(RUNNER_SLOTS_MAX[mode]);
    expect(taken).toHaveLength(RUNNER_SLOTS_MAX[mode]);
    const beside = newWorld(mode, world.merchant);
    expect(await takeRunnerSlot(beside, runner())).toBeNull();
    const [one] = taken;
    await one?.leases.release(one.slot);
    expect(await takeRunnerSlot(beside, runner())).toEqual(one?.slot);
  });
});

test('another merchant and the other mode have slots of their own', async () => {
  const world = newWorld();
  await takeAll(world);
  expect(await takeRunnerSlot(newWorld(), runner())).not.toBeNull();
  expect(await takeRunnerSlot(newWorld('live', world.merchant), runner())).not.toBeNull();
});

test('runners that look at once never share a slot', async () => {
  const world = newWorld();
  const slots = await Promise.all(
    Array.from({ length: 2 * RUNNER_SLOTS_MAX.test }, () => takeRunnerSlot(world, runner())),
  );
  const taken = slots.flatMap((slot) => (slot === null ? [] : [slot.sk]));
  expect(taken.length).toBeGreaterThan(0);
  expect(new Set(taken).size).toBe(taken.length);
});

test('a dead runner gives its slot back when its lease ends, a living one keeps it', async () => {
  const world = newWorld();
  const taken = await takeAll(world);
  const [dead, ...living] = taken;
  dead?.leases.close();
  // The living renew in time.
  vi.advanceTimersByTime(LEASE_MS / 2);
  const endsOf = async () =>
    (await queryPartition(runnerSlotsPk(world))).filter(
      ({ leaseEndsAtMs }) => Number(leaseEndsAtMs) > Date.now() + LEASE_MS / 2,
    );
  await expect.poll(async () => (await endsOf()).length).toBe(living.length);
  vi.advanceTimersByTime(LEASE_MS / 2 + 1);
  expect(await takeRunnerSlot(world, runner())).toEqual(dead?.slot);
  expect(await takeRunnerSlot(world, runner())).toBeNull();
});
