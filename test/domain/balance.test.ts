import { describe, expect, it } from 'vitest';
import { bangkokDay, toDayBalance } from '../../shared/domain/balance.ts';

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
