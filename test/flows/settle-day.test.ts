import { expect, onTestFinished, test } from 'vitest';
import { VIEW } from '../../shared/contract/views.ts';
import { bangkokDay } from '../../shared/domain/balance.ts';
import { DAY_MS } from '../../shared/domain/clock.ts';
import { interceptCalls } from '../../shared/store/table/aws-client.ts';
import { newKey } from '../support/world/merchant.ts';
import { worldOf } from '../support/world/resources.ts';

const { settleDay } = await import('../../shared/flows/settle-day.ts');
const { addUnsettled, readBalances, settleBalance } = await import('../../shared/store/money/balance.ts');
const { callTable, dynamodb } = await import('../../shared/store/table/client.ts');
const { commit } = await import('../../shared/store/table/commit.ts');
const { worldKey } = await import('../../shared/store/table/keys.ts');
const { endMove } = await import('../../shared/store/worlds/clock-move.ts');
const { writesOf } = await import('../../shared/store/writes.ts');

const thb = (minor: number) => ({ currency: 'THB', minor }) as const;

/** A merchant's world with money of today, at an instant. */
async function unsettledWorld(paidMinor: bigint) {
  const { merchant } = await newKey();
  const world = await worldOf(merchant);
  const nowMs = Date.now();
  const add = (minor: bigint) =>
    commit([addUnsettled(world, { day: bangkokDay(nowMs), shard: 0, paidMinor: minor, refundedMinor: 0n })]);
  await add(paidMinor);
  return { merchant, world, nowMs, add };
}

test('a repeated mismatched statement gets its first result, another one is refused', async () => {
  const { world, nowMs } = await unsettledWorld(1_000n);
  const statement = { amount: thb(999) };
  const { changes, ...first } = await settleDay({ world, nowMs }, statement);
  expect(first).toMatchObject({ outcome: 'mismatched', payoutId: null, replayed: false });
  expect((await commit(writesOf({ world }, changes, VIEW))).kind).toBe('committed');
  const repeated = await settleDay({ world, nowMs }, statement);
  expect(repeated).toEqual({ ...first, replayed: true, changes: [] });
  const other = settleDay({ world, nowMs }, { amount: thb(1_000) });
  await expect(other).rejects.toMatchObject({ code: 'settlement_exists', details: { settled_minor: 999 } });
});

test('a settlement during a move of the clock takes the money that the move brings', async () => {
  const { merchant, world, nowMs, add } = await unsettledWorld(1_000n);
  await callTable('UpdateItem', {
    Key: worldKey(world.id),
    UpdateExpression: 'SET movedToMs = :to',
    ExpressionAttributeValues: { ':to': nowMs },
  });
  const moving = await worldOf(merchant);
  const looked = Promise.withResolvers<void>();
  const stop = interceptCalls(dynamodb, (call, next) => {
    const { Key } = call.input as { Key?: { pk?: string } };
    if (call.operation === 'GetItem' && Key?.pk === worldKey(world.id).pk) {
      looked.resolve();
    }
    return next();
  });
  onTestFinished(stop);
  const settling = settleDay({ world: moving, nowMs }, {});
  // It looks whether the move is over; one that does not wait is done instead.
  await Promise.race([looked.promise, settling]);
  await add(500n);
  expect(await endMove(moving)).toBe(true);
  const { outcome, changes } = await settling;
  expect(outcome).toBe('matched');
  const payout = changes.find((change) => 'resource' in change && change.resource === 'payout');
  expect(payout).toMatchObject({ steps: [{ after: { amount: thb(1_500) } }] });
});

test.each([
  ['today, which', 'test', 0, 0],
  ['a shard of the day before that', 'live', 2, 1],
] as const)(
  'a settlement conflicts with money of %s had none when it was decided',
  async (_, mode, shard, ago) => {
    const { nowMs, ...unsettled } = await unsettledWorld(1_000n);
    const world = { ...unsettled.world, mode };
    const [today, before] = [nowMs, nowMs - DAY_MS].map(bangkokDay) as [string, string];
    // Only the day before has money.
    await commit([settleBalance(world, { day: today, shard: 0, paidMinor: 1_000n, refundedMinor: 0n })]);
    await commit([addUnsettled(world, { day: before, shard: 0, paidMinor: 700n, refundedMinor: 0n })]);
    const { changes } = await settleDay({ world, nowMs }, {});
    const day = bangkokDay(nowMs - ago * DAY_MS);
    await commit([addUnsettled(world, { day, shard, paidMinor: 500n, refundedMinor: 0n })]);
    expect((await commit(writesOf({ world }, changes, VIEW))).kind).toBe('conflict');
    const again = await settleDay({ world, nowMs }, {});
    expect((await commit(writesOf({ world }, again.changes, VIEW))).kind).toBe('committed');
    expect(await readBalances(world, today)).toEqual([]);
  },
);
