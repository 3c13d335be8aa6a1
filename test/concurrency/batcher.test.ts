import { expect, test } from 'vitest';
import { Batcher } from '../../shared/concurrency/batcher.ts';

/** Batches that are held until the test releases them, one after the other. */
function heldBatches(atOnceMax: number) {
  const begun: { readonly things: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const batches = new Batcher(atOnceMax, async (things: readonly string[]) => {
    const held = Promise.withResolvers<void>();
    const end = (error?: Error) => (error === undefined ? held.resolve() : held.reject(error));
    begun.push({ things, end });
    await held.promise;
    return things.join('').toUpperCase();
  });
  return { batches, begun, things: () => begun.map((batch) => batch.things) };
}

test('items added together form one batch, and each gets its result', async () => {
  const { batches, begun, things } = heldBatches(10);
  const answers = Promise.all(['a', 'b', 'c'].map((thing) => batches.add(thing)));
  await expect.poll(things).toEqual([['a', 'b', 'c']]);
  begun[0]?.end();
  expect(await answers).toEqual(['ABC', 'ABC', 'ABC']);
});

test('items added during a batch form the next ones: one at a time, within the size limit', async () => {
  const { batches, begun, things } = heldBatches(2);
  const first = batches.add('a');
  await expect.poll(things).toEqual([['a']]);
  const others = Promise.all(['b', 'c', 'd'].map((thing) => batches.add(thing)));
  begun[0]?.end();
  expect(await first).toBe('A');
  await expect.poll(things).toEqual([['a'], ['b', 'c']]);
  begun[1]?.end();
  await expect.poll(things).toEqual([['a'], ['b', 'c'], ['d']]);
  begun[2]?.end();
  expect(await others).toEqual(['BC', 'BC', 'D']);
});

test('a batch that fails rejects its own items and no others', async () => {
  const { batches, begun, things } = heldBatches(2);
  const answers = Promise.allSettled(['a', 'b', 'c'].map((thing) => batches.add(thing)));
  await expect.poll(things).toEqual([['a', 'b']]);
  const error = new Error('away');
  begun[0]?.end(error);
  await expect.poll(things).toEqual([['a', 'b'], ['c']]);
  begun[1]?.end();
  expect(await answers).toEqual([
    { status: 'rejected', reason: error },
    { status: 'rejected', reason: error },
    { status: 'fulfilled', value: 'C' },
  ]);
  const later = batches.add('d');
  await expect.poll(things).toHaveLength(3);
  begun[2]?.end();
  expect(await later).toBe('D');
});
