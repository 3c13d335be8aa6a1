import { expect, test } from 'vitest';
import { KeyedMutex } from '../../shared/concurrency/keyed-mutex.ts';

test('a waiting turn begins after the current one and gets the value that it passes on', async () => {
  const turns = new KeyedMutex<number>();
  const first = Promise.withResolvers<void>();
  const seen: string[] = [];
  const turn = (name: string, label: string, until: Promise<void>, next: number | null) =>
    turns.take(name, async (noted) => {
      seen.push(`${label} begins with ${noted}`);
      await until;
      seen.push(`${label} ends`);
      return { next, result: label };
    });
  const results = [
    turn('a', 'one', first.promise, 7),
    turn('a', 'two', Promise.resolve(), null),
    turn('a', 'three', Promise.resolve(), 9),
    turn('b', 'beside', Promise.resolve(), 1),
  ];
  await expect.poll(() => seen).toContain('beside ends');
  expect(seen).toEqual(['one begins with null', 'beside begins with null', 'beside ends']);
  first.resolve();
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'beside']);
  expect(seen.slice(3)).toEqual([
    'one ends',
    'two begins with 7',
    'two ends',
    'three begins with null',
    'three ends',
  ]);
});

test('a passed value lasts only while turns wait, and a failed turn passes none', async () => {
  const turns = new KeyedMutex<number>();
  const noted: (number | null)[] = [];
  const turn = (next: number) =>
    turns.take('a', async (note) => {
      noted.push(note);
      return { next, result: null };
    });
  await turn(1);
  await turn(2);
  const failing = turns.take('a', () => Promise.reject(new Error('no')));
  const after = turn(3);
  await expect(failing).rejects.toThrow('no');
  await after;
  expect(noted).toEqual([null, null, null]);
});
