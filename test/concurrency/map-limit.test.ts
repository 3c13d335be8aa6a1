import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';

const things = Array.from({ length: 20 }, (_, index) => index);

test('never runs more than the limit at once, and returns results in the order of the items', async () => {
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

test('rejects after a failure only when nothing is running any more', async () => {
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

test('starts nothing more after a failure', async () => {
  const begun: number[] = [];
  const attempt = mapLimit(2, things, async (thing) => {
    begun.push(thing);
    await sleep(1);
    throw new Error(`failed at ${thing}`);
  });
  await expect(attempt).rejects.toThrow('failed at 0');
  expect(begun).toEqual([0, 1]);
});

test('does nothing without items', async () => {
  expect(await mapLimit(3, [], () => Promise.reject(new Error('never')))).toEqual([]);
});
