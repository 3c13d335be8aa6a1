import { invalidFields } from '../errors/problem.ts';

/** An amount in minor units (satang), always an integer. */
export interface Money {
  readonly currency: Currency;
  readonly minor: number;
}

export const CURRENCIES = ['THB'] as const;
export type Currency = (typeof CURRENCIES)[number];

/**
 * The minor units of an amount that is to be compared with one in this currency.
 * @throws Problem `validation_failed` for an amount in another currency
 */
export function minorIn(currency: Currency, amount: Money): number {
  if (amount.currency !== currency) {
    throw invalidFields([
      {
        code: 'mismatch',
        field: 'amount.currency',
        message: 'must match the currency of the other amount',
      },
    ]);
  }
  return amount.minor;
}

/** Decimal digits of a baht amount. */
const MINOR_DIGITS = 2;
/**
 * Commas only between thousands: `1299,50` read without its comma would be a hundred times too much. So many digits that
 * a number holds them exactly.
 */
const DECIMAL = /^(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/;

/**
 * Minor units of an amount as people write it, such as `1,299.5`; null where the text is no amount. Works on the
 * digits, never on a float: 0.29 × 100 is not 29.
 */
export function parseAmount(text: string): number | null {
  const parts = DECIMAL.exec(text.trim());
  return parts === null
    ? null
    : Number(`${parts[1]?.replaceAll(',', '')}${(parts[2] ?? '').padEnd(MINOR_DIGITS, '0')}`);
}

/** Contract §5: one satang to just under ten billion baht. */
export const AMOUNT_MIN_MINOR = 1;
export const AMOUNT_MAX_MINOR = 999_999_999_999;
