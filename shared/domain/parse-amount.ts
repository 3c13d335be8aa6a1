import { withPlainDigits } from './plain-digits.ts';

/** Decimal digits of a baht amount. */
const MINOR_DIGITS = 2;
/**
 * Commas only between thousands: `1299,50` read without its comma would be a hundred times too much. So many digits that
 * a number holds them exactly.
 */
const DECIMAL = /^(?:฿ ?)?(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?(?: ?(?:฿|บาท|baht|thb))?$/i;

/**
 * Minor units of an amount as people write it, such as `1,299.5`, `฿1,299` or `๑,๒๙๙ บาท`; null where the text is no
 * amount. Works on the digits, never on a float: 0.29 × 100 is not 29.
 */
export function parseAmount(text: string): number | null {
  const parts = DECIMAL.exec(withPlainDigits(text));
  return parts === null
    ? null
    : Number(`${parts[1]?.replaceAll(',', '')}${(parts[2] ?? '').padEnd(MINOR_DIGITS, '0')}`);
}
