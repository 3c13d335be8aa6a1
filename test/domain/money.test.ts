import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX_MINOR, AMOUNT_MIN_MINOR, CURRENCIES } from '../../shared/domain/money.ts';

describe('money', () => {
  it('is Thai baht, from one satang to just under ten billion baht', () => {
    expect(CURRENCIES).toEqual(['THB']);
    expect(AMOUNT_MIN_MINOR).toBe(1);
    expect(AMOUNT_MAX_MINOR).toBe(999_999_999_999);
  });

  it('stays exact when nine thousand of the largest amounts are added', () => {
    expect(Number.isSafeInteger(AMOUNT_MAX_MINOR * 9_000)).toBe(true);
  });
});
