import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SECOND_MS } from '../../../shared/domain/clock.ts';
import { NumberRanges } from '../../../shared/store/worlds/number-ranges.ts';

const START_MS = Date.UTC(2026, 10, 2);

/** A counter that several processes write. */
function newCounter() {
  let count = 0;
  const writes: number[] = [];
  const take = async (howMany: number) => {
    writes.push(howMany);
    count += howMany;
    return count;
  };
  return { take, writes };
}

async function takeMany(ranges: NumberRanges, take: (howMany: number) => Promise<number>, howMany: number) {
  const taken: number[] = [];
  for (let nth = 0; nth < howMany; nth += 1) {
    taken.push(await ranges.next('payment', take));
  }
  return taken;
}

describe('a number', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
    onTestFinished(() => void vi.useRealTimers());
  });

  it('is taken alone where no other was taken a moment ago', async () => {
    const [ranges, { take, writes }] = [new NumberRanges(), newCounter()];
    for (const [nth, number] of [1, 2, 3].entries()) {
      vi.setSystemTime(START_MS + nth * SECOND_MS);
      expect(await ranges.next('payment', take)).toBe(number);
    }
    expect(writes).toEqual([1, 1, 1]);
  });

  it('follows the one before in a rush, for which the counter is written eight times less often', async () => {
    const [ranges, { take, writes }] = [new NumberRanges(), newCounter()];
    expect(await takeMany(ranges, take, 18)).toEqual(Array.from({ length: 18 }, (_, nth) => nth + 1));
    expect(writes).toEqual([1, 8, 8, 8]);
  });

  it('is never used twice, whichever process takes it', async () => {
    const { take } = newCounter();
    const processes = [new NumberRanges(), new NumberRanges(), new NumberRanges()];
    const taken = await Promise.all(
      processes.flatMap((ranges) => [takeMany(ranges, take, 50), takeMany(ranges, take, 50)]),
    );
    expect(new Set(taken.flat()).size).toBe(300);
  });

  it('is left unused when a second has gone by: the next one is higher than those of others', async () => {
    const [ranges, { take }] = [new NumberRanges(), newCounter()];
    await takeMany(ranges, take, 3);
    const others = await takeMany(new NumberRanges(), take, 5);
    vi.setSystemTime(START_MS + SECOND_MS);
    expect(await ranges.next('payment', take)).toBeGreaterThan(Math.max(...others));
  });

  it('of one counter says nothing of another', async () => {
    const ranges = new NumberRanges();
    const [payments, refunds] = [newCounter(), newCounter()];
    await takeMany(ranges, payments.take, 5);
    expect(await ranges.next('refund', refunds.take)).toBe(1);
  });

  it('is taken again where the counter could not be written', async () => {
    const [ranges, { take }] = [new NumberRanges(), newCounter()];
    await takeMany(ranges, take, 9);
    const away = async () => Promise.reject(new Error('away'));
    await expect(ranges.next('payment', away)).rejects.toThrow('away');
    expect(await ranges.next('payment', take)).toBe(10);
  });
});
