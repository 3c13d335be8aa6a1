import { expect, test } from 'vitest';
import { newKey } from '../support/merchant.ts';
import { endEpochOf, worldOf } from '../support/resources.ts';

const { endBehind, nameBehind } = await import('../../shared/store/behind.ts');
const { commit } = await import('../../shared/store/commit.ts');

test('receivers are behind until nothing waits for them, and who has seen less does not end it', async () => {
  const { merchant } = await newKey();
  const world = await worldOf(merchant);
  expect(world.behind).toEqual(new Set());
  await commit([nameBehind(world, ['one', 'two'])]);
  const read = await worldOf(merchant);
  expect(read.behind).toEqual(new Set(['one', 'two']));
  await commit([nameBehind(world, ['two'])]);
  expect(await endBehind(read, 'two')).toBe(false);
  expect((await worldOf(merchant)).behind).toEqual(new Set(['one', 'two']));
  expect(await endBehind(await worldOf(merchant), 'two')).toBe(true);
  expect(await endBehind(await worldOf(merchant), 'one')).toBe(true);
  expect((await worldOf(merchant)).behind).toEqual(new Set());
});

test('nobody is behind in an epoch that has ended', async () => {
  const { merchant } = await newKey();
  const past = await worldOf(merchant);
  const world = await endEpochOf(past);
  expect(await commit([nameBehind(past, ['one'])])).toEqual({ kind: 'conflict', which: [0] });
  await commit([nameBehind(world, ['one'])]);
  expect(await endBehind({ ...(await worldOf(merchant)), epoch: past.epoch }, 'one')).toBe(false);
});
