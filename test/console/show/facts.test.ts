import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../shared/console/show/facts.ts';

const THB = (minor: number) => ({ currency: 'THB', minor });

describe('the title of a resource', () => {
  it('is its amount, or what else tells most', () => {
    expect(titleOf({ id: 'pay_1', amount: THB(129_900) })).toBe('฿1,299.00');
    expect(titleOf({ id: 'stl_1', expected: THB(500) })).toBe('฿5.00');
    expect(titleOf({ id: 'evt_1', type: 'payment.created' })).toBe('payment.created');
  });

  it('is the bounds of an open amount', () => {
    const link = (min: number | null, max: number | null) =>
      titleOf({
        ...{ id: 'lnk_1', amount: null, amount_type: 'open' as const },
        min_amount: min === null ? null : THB(min),
        max_amount: max === null ? null : THB(max),
      });
    expect(link(100, 500)).toBe('฿1.00 to ฿5.00');
    expect(link(100, null)).toBe('฿1.00 or more');
    expect(link(null, 500)).toBe('Up to ฿5.00');
    expect(link(null, null)).toBe('Any amount');
  });
});
