import { describe, expect, it } from 'vitest';
import {
  addBalances,
  bangkokDay,
  byDay,
  COUNTED_AS,
  isSettled,
  LAST_DAY,
  toDayBalance,
} from '../../shared/domain/balance.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';

describe('the day of money', () => {
  it.each([
    ['2026-03-01T16:59:59.999Z', '2026-03-01'],
    ['2026-03-01T17:00:00.000Z', '2026-03-02'],
    ['2026-03-02T16:59:59.999Z', '2026-03-02'],
  ])('is that of Bangkok: %s is on %s', (instant, day) => {
    expect(bangkokDay(Date.parse(instant))).toBe(day);
    const amount = { currency: 'THB', minor: 5 } as const;
    expect(toDayBalance({ atMs: Date.parse(instant), amount })).toMatchObject({ day, paidMinor: 5n });
  });

  it('counts money that went out as refunded, and never below zero', () => {
    const amount = { currency: 'THB', minor: -5 } as const;
    expect(toDayBalance({ atMs: 0, amount })).toMatchObject({ paidMinor: 0n, refundedMinor: 5n });
  });
});

describe('balances of days', () => {
  const of = (day: string, paidMinor: bigint, refundedMinor = 0n) => ({ day, paidMinor, refundedMinor });

  it('are sorted by their days, the oldest first, and before the last of all days', () => {
    const days = ['2026-03-02', '2025-12-31', LAST_DAY, '2026-03-02', '2026-03-01'].map((day) => ({ day }));
    expect(days.toSorted(byDay).map(({ day }) => day)).toEqual([
      '2025-12-31',
      '2026-03-01',
      '2026-03-02',
      '2026-03-02',
      '9999-12-31',
    ]);
    expect(byDay({ day: '2026-03-02' }, { day: '2026-03-02' })).toBe(0);
  });

  it('are settled only where neither payments nor refunds are left', () => {
    expect(isSettled(of('2026-03-01', 0n))).toBe(true);
    expect(isSettled(of('2026-03-01', 1n))).toBe(false);
    expect(isSettled(of('2026-03-01', 0n, 1n))).toBe(false);
  });

  it('are added with or without statistics in either of them', () => {
    const counted = { promptpay: { count: 1, minor: 5n } };
    const [plain, with5] = [of('2026-03-01', 5n, 2n), { ...of('2026-03-01', 5n), counted }];
    const sum = { ...of('2026-03-01', 10n, 2n), counted };
    expect(addBalances(plain, with5)).toEqual(sum);
    expect(addBalances(with5, plain)).toEqual(sum);
  });

  it('count payments by every method, and refunds', () => {
    expect([...COUNTED_AS].toSorted()).toEqual([...PAYMENT_METHODS, 'refund'].toSorted());
  });
});
