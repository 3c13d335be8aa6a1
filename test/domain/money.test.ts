import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX_MINOR, AMOUNT_MIN_MINOR, CURRENCIES, parseAmount } from '../../shared/domain/money.ts';

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

describe('an amount as people write it', () => {
  it.each([
    ['250', 25_000],
    ['250.5', 25_050],
    ['0.29', 29],
    ['0.01', 1],
    [' 1,299.00 ', 129_900],
    ['1,234,567.89', 123_456_789],
    ['9999999999.99', 999_999_999_999],
    ['007', 700],
  ])('%s is exact in satang', (text, minor) => {
    expect(parseAmount(text)).toBe(minor);
  });

  // In half of the world a comma is the point: an amount must not become a hundred times as much.
  it.each([
    '',
    '-1',
    '+1',
    '1e3',
    '1.234',
    '12,50',
    '1,29',
    '1,2345',
    ',5',
    '.5',
    '5.',
    '0x10',
    '๑๐',
    '1 000',
    'NaN',
    '฿5',
  ])('%j is none', (text) => {
    expect(parseAmount(text)).toBeNull();
  });
});
