import { expect, test } from 'vitest';
import { newKey } from '../../support/world/merchant.ts';
import { endEpochOf, worldOf } from '../../support/world/resources.ts';

const { clearBacklog, markBacklogged } = await import('../../../shared/store/worlds/backlog.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');

test('endpoints have a backlog until their queue is empty; a stale read does not clear it', async () => {
  const { merchant } = await newKey();
  const world = await worldOf(merchant);
  expect(world.backloggedEndpoints).toEqual(new Set());
  await commit([markBacklogged(world, ['one', 'two'])]);
  const read = await worldOf(merchant);
  expect(read.backloggedEndpoints).toEqual(new Set(['one', 'two']));
  await commit([markBacklogged(world, ['two'])]);
  expect(await clearBacklog(read, 'two')).toBe(false);
  expect((await worldOf(merchant)).backloggedEndpoints).toEqual(new Set(['one', 'two']));
  expect(await clearBacklog(await worldOf(merchant), 'two')).toBe(true);
  expect(await clearBacklog(await worldOf(merchant), 'one')).toBe(true);
  expect((await worldOf(merchant)).backloggedEndpoints).toEqual(new Set());
});

test('no endpoint has a backlog in an epoch that has ended', async () => {
  const { merchant } = await newKey();
  const past = await worldOf(merchant);
  const world = await endEpochOf(past);
  expect(await commit([markBacklogged(past, ['one'])])).toEqual({ kind: 'conflict', failed: [0] });
  await commit([markBacklogged(world, ['one'])]);
  expect(await clearBacklog({ ...(await worldOf(merchant)), epoch: past.epoch }, 'one')).toBe(false);
});
