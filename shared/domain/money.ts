/** An amount in minor units (satang), always an integer. */
export interface Money {
  readonly currency: Currency;
  readonly minor: number;
}

export const CURRENCIES = ['THB'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Contract §5: one satang to just under ten billion baht. */
export const AMOUNT_MIN_MINOR = 1;
export const AMOUNT_MAX_MINOR = 999_999_999_999;
