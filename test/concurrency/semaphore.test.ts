import { expect, test } from 'vitest';
import { Semaphore } from '../../shared/concurrency/semaphore.ts';

/** Tasks that are held until the test releases them. */
function heldWorks(slots: Semaphore) {
  const begun: string[] = [];
  const held = new Map<string, PromiseWithResolvers<string>>();
  const run = (name: string) =>
    slots.run(() => {
      begun.push(name);
      const work = Promise.withResolvers<string>();
      held.set(name, work);
      return work.promise;
    });
  return { begun, run, held };
}

test('no more tasks run at once than there are slots, and the others wait in their order', async () => {
  const { begun, run, held } = heldWorks(new Semaphore(2));
  const answers = Promise.all(['a', 'b', 'c', 'd'].map(run));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  held.get('b')?.resolve('B');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  held.get('a')?.resolve('A');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  held.get('c')?.resolve('C');
  held.get('d')?.resolve('D');
  expect(await answers).toEqual(['A', 'B', 'C', 'D']);
});

test('a task that fails gives its slot back', async () => {
  const { begun, run, held } = heldWorks(new Semaphore(1));
  const [first, second] = [run('a'), run('b')];
  await expect.poll(() => begun).toEqual(['a']);
  held.get('a')?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => begun).toEqual(['a', 'b']);
  held.get('b')?.resolve('B');
  expect(await second).toBe('B');
});

test('a slot that was free for a while is still one slot', async () => {
  const { begun, run, held } = heldWorks(new Semaphore(1));
  for (const name of ['a', 'b']) {
    const alone = run(name);
    await expect.poll(() => begun.at(-1)).toBe(name);
    held.get(name)?.resolve(name);
    await alone;
  }
  const both = Promise.all(['c', 'd'].map(run));
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  held.get('c')?.resolve('c');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  held.get('d')?.resolve('d');
  await both;
});
