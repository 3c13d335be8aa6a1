import { expect, test } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { World } from '../../../shared/domain/world.ts';
import { newKey } from '../../support/merchant.ts';
import { worldOf } from '../../support/resources.ts';

const { commit } = await import('../../../shared/store/commit.ts');
const { endEpoch } = await import('../../../shared/store/testkit/purge.ts');
const { takeSequences } = await import('../../../shared/store/published-event.ts');
const { takeNumber } = await import('../../../shared/store/world.ts');

function end(read: World): Promise<boolean> {
  const { epoch, counts, eventCount } = read;
  const purge = { actionId: newId('act', 0), epoch, counts, eventCount, resetAtMs: Date.now() };
  return endEpoch(read, 'purge', purge);
}

test.each([
  ['a payment is numbered', (world: World) => takeNumber(world, 'payment')],
  ['a settlement is numbered', (world: World) => takeNumber(world, 'settlement')],
  ['an event is published', (world: World) => commit([takeSequences(world, 1)])],
])('a purge counts and deletes all, even where %s while it begins', async (_, happens) => {
  const { merchant } = await newKey();
  const read = await worldOf(merchant);
  await happens(read);
  expect(await end(read)).toBe(false);
  const current = await worldOf(merchant);
  expect(current.epoch).toBe(read.epoch);
  expect(await end(current)).toBe(true);
  expect(await worldOf(merchant)).toEqual({ ...read, epoch: read.epoch + 1 });
});
