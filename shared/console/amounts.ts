/** Money as the API has it: in satang. */
export interface ShownMoney {
  readonly currency: string;
  readonly minor: number;
}

/** Made once: making one takes a hundred times as long as using it. */
const TWO_PLACES = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `฿1,299.00`. */
export function formatMoney({ currency, minor }: ShownMoney): string {
  const text = TWO_PLACES.format(Math.abs(minor) / 100);
  return `${minor < 0 ? '−' : ''}${currency === 'THB' ? '฿' : `${currency} `}${text}`;
}

/** `satang: ฿1,299.00` for the text of an amount in satang; null for any other text. */
export function inBaht(text: string): string | null {
  return /^\d{1,12}$/.test(text) ? `satang: ${formatMoney({ currency: 'THB', minor: Number(text) })}` : null;
}

export function isMoney(value: unknown): value is ShownMoney {
  const { currency, minor } = (value ?? {}) as Partial<ShownMoney>;
  return typeof currency === 'string' && typeof minor === 'number';
}
