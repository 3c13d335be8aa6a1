import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapLimit } from '../../shared/store/map-limit.ts';

const things = Array.from({ length: 20 }, (_, place) => place);

test('so many at once are at work, never more, and the answers come in the order of the things', async () => {
  let atWork = 0;
  let most = 0;
  const answers = await mapLimit(3, things, async (thing) => {
    atWork += 1;
    most = Math.max(most, atWork);
    await sleep(thing % 3);
    atWork -= 1;
    return thing * 2;
  });
  expect(answers).toEqual(things.map((thing) => thing * 2));
  expect(most).toBe(3);
});

test('one that fails is told of when nothing is under way any more', async () => {
  let atWork = 0;
  const attempt = mapLimit(3, things, async (thing) => {
    atWork += 1;
    await sleep(1);
    atWork -= 1;
    if (thing === 5) {
      throw new Error('five');
    }
  });
  await expect(attempt).rejects.toThrow('five');
  expect(atWork).toBe(0);
});

test('of nothing there is nothing to do', async () => {
  expect(await mapLimit(3, [], () => Promise.reject(new Error('never')))).toEqual([]);
});
