import { expect, test } from 'vitest';
import type { BalanceShard } from '../../../shared/domain/balance.ts';
import { MODES, type World } from '../../../shared/domain/world.ts';
import {
  addUnsettled,
  foldBalance,
  readBalances,
  readStatistics,
  settleBalance,
} from '../../../shared/store/money/balance.ts';
import { commit } from '../../../shared/store/table/commit.ts';
import { balanceShardOf, SHARDS } from '../../../shared/store/table/keys.ts';
import { newWorld } from '../../support/world/event-log.ts';

const DAY = '2026-03-01';
const NEXT = '2026-03-02';

function newDays(mode: World['mode'] = 'test') {
  const world = newWorld(null, mode);
  return {
    world,
    add: (paidMinor: bigint, refundedMinor: bigint, day = DAY, shard = 0) =>
      commit([addUnsettled(world, { day, shard, paidMinor, refundedMinor })]),
    read: () => readBalances(world, NEXT),
  };
}

const only = ([balance]: readonly BalanceShard[]) => balance as BalanceShard;

test.each([
  ['a payment', 1n, 0n],
  ['a refund', 0n, 1n],
])('a day is not settled where %s came since it was read', async (_what, paid, refunded) => {
  const { world, add, read } = newDays();
  await add(10n, 2n);
  const day = only(await read());
  await add(paid, refunded);
  expect((await commit([settleBalance(world, day)])).kind).toBe('conflict');
  expect(await read()).toEqual([{ day: DAY, shard: 0, paidMinor: 10n + paid, refundedMinor: 2n + refunded }]);
});

test('a day without a balance is settled only while it has none', async () => {
  const { world, add } = newDays();
  const empty = { day: DAY, shard: 0, paidMinor: 0n, refundedMinor: 0n };
  await add(1n, 0n);
  expect((await commit([settleBalance(world, empty)])).kind).toBe('conflict');
});

test('a settled day keeps what the settlement could not take, and is not read without it', async () => {
  const { world, add, read } = newDays();
  await add(10n, 2n);
  await commit([settleBalance(world, only(await read()), 3n)]);
  expect(await read()).toEqual([{ day: DAY, shard: 0, paidMinor: 3n, refundedMinor: 0n }]);
  await commit([settleBalance(world, { day: DAY, shard: 0, paidMinor: 3n, refundedMinor: 0n })]);
  expect(await read()).toEqual([]);
});

test('a day that is folded into another adds its money there, and is settled itself', async () => {
  const { world, add, read } = newDays();
  await add(10n, 2n);
  await add(5n, 1n, NEXT);
  const folded = await commit(foldBalance(world, only(await read()), { day: NEXT, shard: 0 }));
  expect(folded.kind).toBe('committed');
  expect(await read()).toEqual([{ day: NEXT, shard: 0, paidMinor: 15n, refundedMinor: 3n }]);
});

test('a live day is spread over its shards, and each is settled only as it was read', async () => {
  const { world, add, read } = newDays('live');
  await add(10n, 2n, NEXT, 3);
  await add(5n, 0n, DAY, 1);
  await add(7n, 0n, DAY, 2);
  const read1 = { day: DAY, shard: 1, paidMinor: 5n, refundedMinor: 0n };
  const read2 = { day: DAY, shard: 2, paidMinor: 7n, refundedMinor: 0n };
  const next = { day: NEXT, shard: 3, paidMinor: 10n, refundedMinor: 2n };
  expect(await read()).toEqual([read1, read2, next]);
  await add(1n, 0n, DAY, 2);
  // Money in another shard of the day is no conflict.
  expect((await commit([settleBalance(world, read1)])).kind).toBe('committed');
  expect((await commit([settleBalance(world, read2)])).kind).toBe('conflict');
  expect(await read()).toEqual([{ ...read2, paidMinor: 8n }, next]);
});

test('the statistics of a day are the sum of its shards', async () => {
  const { world } = newDays('live');
  const counted = { promptpay: { count: 1, minor: 5n } };
  const refunded = { ...counted, refund: { count: 1, minor: 2n } };
  const money = { paidMinor: 5n, refundedMinor: 0n };
  await commit([
    addUnsettled(world, { day: DAY, shard: 0, ...money, counted }),
    addUnsettled(world, { day: DAY, shard: 3, ...money, counted: refunded }),
    addUnsettled(world, { day: NEXT, shard: 1, ...money, counted }),
  ]);
  expect(await readStatistics(world, DAY, DAY)).toEqual([
    { day: DAY, counted: { promptpay: { count: 2, minor: 10n }, refund: { count: 1, minor: 2n } } },
  ]);
});

test.each(MODES)('the money of a %s world is spread evenly over the shards of a day', (mode) => {
  const shards = SHARDS.BALANCES[mode];
  const instants = Array.from({ length: 1_000 }, (_, nth) => Date.UTC(2026, 10, 2) + nth);
  const each = Map.groupBy(instants, (atMs) => balanceShardOf({ ...newWorld(), mode }, atMs));
  expect([...each.keys()].toSorted()).toEqual(Array.from({ length: shards }, (_, shard) => shard));
  for (const { length } of each.values()) {
    expect(length / instants.length).toBeLessThan(1.3 / shards);
  }
});
