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

/** Contract §5: one satang to just under ten billion baht. */
export const AMOUNT_MIN_MINOR = 1;
export const AMOUNT_MAX_MINOR = 999_999_999_999;
