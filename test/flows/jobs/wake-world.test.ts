import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { createdWorldIdOf } from '../../../shared/domain/world.ts';
import { nextRunKey } from '../../../shared/store/table/keys.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createPayment, moveClock, worldOf } from '../../support/world/resources.ts';

const { wakeWorld } = await import('../../../shared/flows/jobs/wake-world.ts');
const { nextRunItem, setNextRun } = await import('../../../shared/store/scheduler/next-run.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { getItem, put } = await import('../../../shared/store/table/item.ts');

const LIMITS = { baseUrl: 'http://127.0.0.1', timeMs: 10_000 };
const DAY_MS = 86_400_000;

/** Wakes a world as the clock and the stream do: by the partition of an entry. @returns the entry, if it is still there */
async function wakeBy(world: Parameters<typeof nextRunKey>[0]) {
  const key = nextRunKey(world);
  await wakeWorld(world.id, new Set([key.pk]), LIMITS);
  return getItem(key);
}

test('what a late runner writes of the next run after a purge is gone when the clock finds it', async () => {
  const { api, merchant } = await newMerchant();
  const before = await worldOf(merchant);
  await api(operations.purgeTestData);
  await setNextRun(before, Date.now());
  expect(await wakeBy(before)).toBeUndefined();
});

test('what a late runner writes of a world that is gone is gone when the clock finds it', async () => {
  const { merchant } = await newMerchant();
  const gone = { ...(await worldOf(merchant)), id: createdWorldIdOf(merchant) };
  await setNextRun(gone, Date.now());
  expect(await wakeBy(gone)).toBeUndefined();
});

test('a world whose clock was moved keeps the entry of its next run', async () => {
  const { api, merchant } = await newMerchant();
  await createPayment(api);
  await moveClock(api, 1);
  const world = await worldOf(merchant);
  await setNextRun(world, Date.now() + DAY_MS);
  expect(await wakeBy(world)).toMatchObject({ kind: 'next-run' });
});

test('a copy of a world whose clock was never moved is looked at once, and not each minute', async () => {
  const { api, merchant } = await newMerchant();
  await createPayment(api);
  const world = await worldOf(merchant);
  await commit([put(nextRunItem(world, Date.now()))]);
  expect(await wakeBy(world)).toBeUndefined();
});
