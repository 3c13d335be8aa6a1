import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, parseBaht } from '../../../infra/terminal/baht.ts';
import { AMOUNT_MAX_MINOR } from '../../../shared/domain/money.ts';

describe('an amount in baht', () => {
  test.each([
    ['1299.00', 129_900],
    ['1299', 129_900],
    ['1,299.00', 129_900],
    ['1299.5', 129_950],
    ['0.01', 1],
    ['0.1', 10],
    ['0.29', 29],
    ['1.15', 115],
    ['4.35', 435],
    ['9999999999.99', 999_999_999_999],
  ])('%s is %i satang', (text, minor) => {
    expect(parseBaht(text)).toEqual({ currency: 'THB', minor });
  });

  test.each(['', '0', '0.00', '-1', '12,50', '1.005', '.5', '1.', '1e3', '฿฿5', '10000000000'])(
    '%j is none',
    (text) => {
      expect(() => parseBaht(text)).toThrow('takes baht and satang');
    },
  );

  test.each([
    [1, '0.01 THB'],
    [99, '0.99 THB'],
    [100_000, '1,000.00 THB'],
    [999_999_999_999, '9,999,999,999.99 THB'],
    [0, '0.00 THB'],
    [-5, '-0.05 THB'],
    [-100_000, '-1,000.00 THB'],
  ])('%i satang are shown as %s', (minor, text) => {
    expect(formatMoney({ currency: 'THB', minor })).toBe(text);
  });

  test('that is shown can be typed again, and is the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: AMOUNT_MAX_MINOR }), (minor) => {
        const shown = formatMoney({ currency: 'THB', minor });
        expect(parseBaht(shown.replace(' THB', ''))).toEqual({ currency: 'THB', minor });
      }),
    );
  });
});
