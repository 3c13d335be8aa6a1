import { expect, test } from 'vitest';
import { UnderWay } from '../../shared/flows/under-way.ts';

const LONG_MS = 600_000;

/** Works that go on until they are let go. */
function works(...names: readonly string[]) {
  const underWay = new UnderWay();
  const held = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  for (const { promise } of held.values()) {
    underWay.add(promise);
  }
  return { underWay, held };
}

test('who waits goes on when one work has ended, whatever the others do', async () => {
  const { underWay, held } = works('a', 'b');
  expect(underWay.isEmpty).toBe(false);
  const progress = underWay.progress(Date.now() + LONG_MS);
  held.get('b')?.resolve();
  await progress;
  expect(underWay.isEmpty).toBe(false);
  held.get('a')?.resolve();
  await underWay.progress(Date.now() + LONG_MS);
  expect(underWay.isEmpty).toBe(true);
});

test('who waits goes on when their time is over, and the work goes on too', async () => {
  const { underWay, held } = works('a');
  await underWay.progress(Date.now());
  expect(underWay.isEmpty).toBe(false);
  held.get('a')?.resolve();
  await expect.poll(() => underWay.isEmpty).toBe(true);
});

test('the first failure of any work is told to who waits, and to who asks later', async () => {
  const { underWay, held } = works('a', 'b', 'c');
  expect(() => underWay.check()).not.toThrow();
  held.get('b')?.reject(new Error('the first'));
  await expect(underWay.progress(Date.now() + LONG_MS)).rejects.toThrow('the first');
  held.get('a')?.reject(new Error('the second'));
  held.get('c')?.resolve();
  await expect.poll(() => underWay.isEmpty).toBe(true);
  expect(() => underWay.check()).toThrow('the first');
});
