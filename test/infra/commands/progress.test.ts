import { describe, expect, test } from 'vitest';
import { progressBar, withProgress } from '../../../infra/commands/progress.ts';

describe('the progress of work', () => {
  test('is a bar that grows to its end', () => {
    expect(progressBar(0, 300, 'payments')).toBe(`[${'-'.repeat(30)}]    0/300 payments`);
    expect(progressBar(100, 300, 'payments')).toBe(`[${'#'.repeat(10)}${'-'.repeat(20)}]  100/300 payments`);
    expect(progressBar(999, 300, 'payments')).toBe(`[${'#'.repeat(30)}]  300/300 payments`);
  });

  test('is progress on a terminal alone, and nothing is counted elsewhere', async () => {
    const written: string[] = [];
    const screen = { write: (text: string) => written.push(text.trim().slice(-12)) };
    const { promise: work, resolve } = Promise.withResolvers<string>();
    let counted = 0;
    const count = async () => {
      counted += 1;
      if (counted === 2) {
        setTimeout(resolve, 0, 'done');
      }
      return counted;
    };
    const progress = { total: 4, what: 'payments', count };
    expect(await withProgress(Promise.resolve('at once'), screen, progress)).toBe('at once');
    expect({ written, counted }).toEqual({ written: [], counted: 0 });
    expect(await withProgress(work, { ...screen, isTTY: true }, progress)).toBe('done');
    expect(written).toEqual(['0/4 payments', '1/4 payments', '2/4 payments', '4/4 payments', '']);
    const failing = Promise.reject(new Error('no'));
    await expect(withProgress(failing, { ...screen, isTTY: true }, progress)).rejects.toThrow('no');
  });
});
