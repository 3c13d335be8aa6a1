import { inLanguage } from './language.ts';

/** Money as the API has it: in satang. */
export interface ShownMoney {
  readonly currency: string;
  readonly minor: number;
}

const COMPACT_UNITS = [
  ['T', 1e12],
  ['B', 1e9],
  ['M', 1e6],
  ['K', 1e3],
] as const;

/** `3,000,000.99`. Not by Intl, whose first use takes as long as the rest of the first view. */
export function grouped(number: number | string): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `฿1,299.00`. */
export function formatMoney({ currency, minor }: ShownMoney): string {
  const text = grouped((Math.abs(minor) / 100).toFixed(2));
  return `${minor < 0 ? '−' : ''}${currency === 'THB' ? '฿' : `${currency} `}${text}`;
}

/** `฿2.5K` for 250,000 satang: with all its digits, for numbers that are round. */
export function compactBaht(minor: number): string {
  const baht = minor / 100;
  const [unit, size] = COMPACT_UNITS.find(([, least]) => baht >= least) ?? ['', 1];
  return `฿${baht / size}${unit}`;
}

const inSatang = inLanguage({
  en: (amount: string) => `satang: ${amount}`,
  th: (amount: string) => `สตางค์: ${amount}`,
});

/** `satang: ฿1,299.00` for the text of an amount in satang; null for any other text. */
export function inBaht(text: string): string | null {
  return /^\d{1,12}$/.test(text) ? inSatang(formatMoney({ currency: 'THB', minor: Number(text) })) : null;
}

export function isMoney(value: unknown): value is ShownMoney {
  const { currency, minor } = (value ?? {}) as Partial<ShownMoney>;
  return typeof currency === 'string' && typeof minor === 'number';
}
