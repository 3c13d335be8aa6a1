import { describe, expect, test } from 'vitest';
import { withProgress } from '../../../infra/commands/progress.ts';

describe('the progress of work', () => {
  test('is a bar that grows to its end on a terminal alone, and nothing is counted elsewhere', {
    tags: 'slow',
  }, async () => {
    const written: string[] = [];
    const screen = { write: (text: string) => written.push(text.trim()) };
    const { promise: work, resolve } = Promise.withResolvers<string>();
    let counted = 0;
    const count = async () => {
      counted += 1;
      if (counted === 2) {
        setTimeout(resolve, 0, 'done');
      }
      // More than there are, at the end.
      return counted === 1 ? 100 : 999;
    };
    const progress = { total: 300, what: 'payments', count };
    expect(await withProgress(Promise.resolve('at once'), screen, progress)).toBe('at once');
    expect({ written, counted }).toEqual({ written: [], counted: 0 });
    expect(await withProgress(work, { ...screen, isTTY: true }, progress)).toBe('done');
    const full = `[${'#'.repeat(30)}]  300/300 payments`;
    expect(written).toEqual([
      `[${'-'.repeat(30)}]    0/300 payments`,
      `[${'#'.repeat(10)}${'-'.repeat(20)}]  100/300 payments`,
      ...[full, full, ''],
    ]);
    const failing = Promise.reject(new Error('no'));
    await expect(withProgress(failing, { ...screen, isTTY: true }, progress)).rejects.toThrow('no');
  });
});
