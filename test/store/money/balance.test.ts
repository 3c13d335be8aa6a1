import { expect, test } from 'vitest';
import {
  addUnsettled,
  foldBalance,
  readBalances,
  settleBalance,
} from '../../../shared/store/money/balance.ts';
import { commit } from '../../../shared/store/table/commit.ts';
import { newMerchant } from '../../support/world/api.ts';
import { worldOf } from '../../support/world/resources.ts';

const DAY = '2026-03-01';
const NEXT = '2026-03-02';

async function newDays() {
  const { merchant } = await newMerchant();
  const world = await worldOf(merchant);
  return {
    world,
    add: (paidMinor: bigint, refundedMinor: bigint, day = DAY) =>
      commit([addUnsettled(world, { day, paidMinor, refundedMinor })]),
    read: () => readBalances(world, NEXT),
  };
}

test.each([
  ['a payment', 1n, 0n],
  ['a refund', 0n, 1n],
])('a day is not settled where %s came since it was read', async (_what, paid, refunded) => {
  const { world, add, read } = await newDays();
  await add(10n, 2n);
  const [day] = await read();
  await add(paid, refunded);
  expect((await commit([settleBalance(world, day as NonNullable<typeof day>)])).kind).toBe('conflict');
  expect(await read()).toEqual([{ day: DAY, paidMinor: 10n + paid, refundedMinor: 2n + refunded }]);
});

test('a day without a balance is settled only while it has none', async () => {
  const { world, add } = await newDays();
  const empty = { day: DAY, paidMinor: 0n, refundedMinor: 0n };
  await add(1n, 0n);
  expect((await commit([settleBalance(world, empty)])).kind).toBe('conflict');
});

test('a settled day keeps what the settlement could not take, and is not read without it', async () => {
  const { world, add, read } = await newDays();
  await add(10n, 2n);
  const [day] = await read();
  await commit([settleBalance(world, day as NonNullable<typeof day>, 3n)]);
  expect(await read()).toEqual([{ day: DAY, paidMinor: 3n, refundedMinor: 0n }]);
  await commit([settleBalance(world, { day: DAY, paidMinor: 3n, refundedMinor: 0n })]);
  expect(await read()).toEqual([]);
});

test('a day that is folded into another adds its money there, and is settled itself', async () => {
  const { world, add, read } = await newDays();
  await add(10n, 2n);
  await add(5n, 1n, NEXT);
  const [day] = await read();
  expect((await commit(foldBalance(world, day as NonNullable<typeof day>, NEXT))).kind).toBe('committed');
  expect(await read()).toEqual([{ day: NEXT, paidMinor: 15n, refundedMinor: 3n }]);
});
