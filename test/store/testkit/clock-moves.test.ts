import { expect, test } from 'vitest';
import { commit } from '../../../shared/store/table/commit.ts';
import { findMove, insertMove } from '../../../shared/store/testkit/clock-moves.ts';
import { newMerchant } from '../../support/world/api.ts';
import { worldOf } from '../../support/world/resources.ts';

const SECONDS = 60;

test('a move is stored once: the same key moves the clock no second time', async () => {
  const { merchant } = await newMerchant();
  const move = async (actionId: string) => {
    const world = await worldOf(merchant);
    const nowMs = Date.now();
    const move = { actionId, epoch: world.epoch, fromMs: nowMs, toMs: nowMs + 60_000, seconds: SECONDS };
    return (await commit(insertMove(world, 'key', move, nowMs))).kind;
  };
  expect([await move('act_1'), await move('act_2')]).toEqual(['committed', 'conflict']);
  const world = await worldOf(merchant);
  expect(world.clockOffsetMs).toBe(SECONDS * 1_000);
  expect(await findMove(world.id, 'key')).toMatchObject({ actionId: 'act_1' });
});

test('a move is refused where the clock has moved since it was read', async () => {
  const { merchant } = await newMerchant();
  const world = await worldOf(merchant);
  const nowMs = Date.now();
  const move = { actionId: 'act_1', epoch: 1, fromMs: nowMs, toMs: nowMs + 60_000, seconds: SECONDS };
  expect((await commit(insertMove(world, 'one', move, nowMs))).kind).toBe('committed');
  expect((await commit(insertMove(world, 'other', move, nowMs))).kind).toBe('conflict');
});
