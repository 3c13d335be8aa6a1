import { describe, expect, it } from 'vitest';
import { addBalances, isSettled, toDayBalance } from '../../shared/domain/balance.ts';
import { dailyStatistics, daysFrom, statisticsRange } from '../../shared/domain/statistics.ts';

const tally = (count: number, minor: bigint) => ({ count, minor });
const thb = (minor: number) => ({ currency: 'THB', minor }) as const;
const NOON = Date.UTC(2026, 2, 1, 5);

describe('the days of statistics', () => {
  it.each([
    ['2026-01-01', '2026-01-01', 1],
    ['2024-02-28', '2024-03-01', 3],
    ['2026-01-02', '2026-01-01', 0],
  ])('from %s to %s are %i', (from, to, days) => {
    expect(daysFrom(from, to)).toBe(days);
  });

  it.each([
    [{}, { from: '2026-03-02', to: '2026-03-31' }],
    [{ to: '2026-01-30' }, { from: '2026-01-01', to: '2026-01-30' }],
    [{ from: '2026-03-30' }, { from: '2026-03-30', to: '2026-03-31' }],
    [{ from: '2025-01-01' }, { from: '2025-01-01', to: '2025-04-02' }],
    [
      { from: '2026-01-01', to: '2026-01-02' },
      { from: '2026-01-01', to: '2026-01-02' },
    ],
  ])('of the query %o are %o on the last of March', (query, range) => {
    expect(statisticsRange(query, '2026-03-31')).toEqual(range);
  });

  it('are none if the first day is in the future', () => {
    expect(dailyStatistics('2026-04-02', '2026-04-01', [])).toEqual([]);
  });

  it('are all listed, and sums beyond the safe range are exact', () => {
    const counted = [
      { day: '2026-03-01', counted: { promptpay: tally(2, 2n ** 60n), linepay: tally(1, 1n) } },
      { day: '2026-03-02', counted: { refund: tally(3, 5n) } },
    ];
    expect(dailyStatistics('2026-02-28', '2026-03-02', counted)).toEqual([
      { day: '2026-02-28', paid: tally(0, 0n), refunded: tally(0, 0n), byMethod: {} },
      {
        day: '2026-03-01',
        paid: tally(3, 2n ** 60n + 1n),
        refunded: tally(0, 0n),
        byMethod: { promptpay: tally(2, 2n ** 60n), linepay: tally(1, 1n) },
      },
      { day: '2026-03-02', paid: tally(0, 0n), refunded: tally(3, 5n), byMethod: {} },
    ]);
  });
});

describe("a day's balance", () => {
  it('counts a payment by its method, a refund as such, and a payout that came back as neither', () => {
    const paid = toDayBalance({ atMs: NOON, amount: thb(500), countedAs: 'promptpay' });
    const refunded = toDayBalance({ atMs: NOON, amount: thb(-200), countedAs: 'refund' });
    const back = toDayBalance({ atMs: NOON, amount: thb(300) });
    expect([paid, refunded, back].reduce(addBalances)).toEqual({
      day: '2026-03-01',
      paidMinor: 800n,
      refundedMinor: 200n,
      counted: { promptpay: tally(1, 500n), refund: tally(1, 200n) },
    });
  });

  it('is settled where nothing is left of it, whatever was counted', () => {
    const day = { day: '2026-03-01', counted: { refund: tally(1, 1n) } };
    expect(isSettled({ ...day, paidMinor: 0n, refundedMinor: 0n })).toBe(true);
    expect(isSettled({ ...day, paidMinor: 1n, refundedMinor: 1n })).toBe(false);
  });
});
