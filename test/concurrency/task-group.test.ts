import { expect, test } from 'vitest';
import { TaskGroup } from '../../shared/concurrency/task-group.ts';

const LONG_MS = 600_000;

/** Tasks that run until the test resolves them. */
function works(...names: readonly string[]) {
  const tasks = new TaskGroup();
  const held = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  for (const { promise } of held.values()) {
    tasks.add(promise);
  }
  return { tasks, held };
}

test('progress() returns when one task has ended, whatever the others do', async () => {
  const { tasks, held } = works('a', 'b');
  expect(tasks.isEmpty).toBe(false);
  const progress = tasks.progress(Date.now() + LONG_MS);
  held.get('b')?.resolve();
  await progress;
  expect(tasks.isEmpty).toBe(false);
  held.get('a')?.resolve();
  await tasks.progress(Date.now() + LONG_MS);
  expect(tasks.isEmpty).toBe(true);
});

test('progress() returns at its deadline, and the task goes on', async () => {
  const { tasks, held } = works('a');
  await tasks.progress(Date.now());
  expect(tasks.isEmpty).toBe(false);
  held.get('a')?.resolve();
  await expect.poll(() => tasks.isEmpty).toBe(true);
});

test('progress() and every later check() throw the first failure of any task', async () => {
  const { tasks, held } = works('a', 'b', 'c');
  expect(() => tasks.check()).not.toThrow();
  held.get('b')?.reject(new Error('the first'));
  await expect(tasks.progress(Date.now() + LONG_MS)).rejects.toThrow('the first');
  held.get('a')?.reject(new Error('the second'));
  held.get('c')?.resolve();
  await expect.poll(() => tasks.isEmpty).toBe(true);
  expect(() => tasks.check()).toThrow('the first');
});
