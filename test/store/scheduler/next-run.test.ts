import { expect, onTestFinished, test } from 'vitest';
import { leaseKey, nextRunKey } from '../../../shared/store/table/keys.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createPayment, moveClock, worldOf } from '../../support/world/resources.ts';

const { Leases } = await import('../../../shared/store/scheduler/lease.ts');
const { setNextRun } = await import('../../../shared/store/scheduler/next-run.ts');
const { getItem } = await import('../../../shared/store/table/item.ts');

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A world as it was before and after a move of its clock, and its entry of the next run. */
async function moveWorld() {
  const { api, merchant } = await newMerchant();
  await createPayment(api, { expires_in_minutes: 20 });
  const before = await worldOf(merchant);
  await moveClock(api, 600);
  const after = await worldOf(merchant);
  const entry = () => getItem(nextRunKey(after));
  await expect.poll(entry).toMatchObject({ kind: 'next-run' });
  return { before, entry };
}

test.each([
  ['deletes', null],
  ['puts off', Date.now() + 90 * MINUTE_MS],
])('a runner that has read a world before its clock was moved never %s its next run', async (_does, at) => {
  const { before, entry } = await moveWorld();
  const noted = await entry();
  await setNextRun(before, at);
  expect(await entry()).toEqual(noted);
});

test('a runner that has read a world as it is sets and deletes its next run', async () => {
  const { merchant } = await newMerchant();
  const world = await worldOf(merchant);
  // As a move does: until then, the runners of the service, which an entry wakes, leave it alone.
  const leases = new Leases(HOUR_MS);
  onTestFinished(() => leases.close());
  await leases.take(leaseKey(world), { mustExist: false });
  const dueMs = Date.now() + 30 * MINUTE_MS;
  const entry = () => getItem(nextRunKey(world));
  await setNextRun(world, dueMs);
  expect(Number.parseInt(String((await entry())?.dueSk), 10)).toBe(dueMs);
  await setNextRun({ ...world, clockVersion: 1 }, dueMs + MINUTE_MS);
  expect(Number.parseInt(String((await entry())?.dueSk), 10)).toBe(dueMs + MINUTE_MS);
  await setNextRun({ ...world, clockVersion: 1 }, null);
  expect(await entry()).toBeUndefined();
});
