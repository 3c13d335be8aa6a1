import type { Money } from '../../../shared/domain/money.ts';

/** The API accepts at most ten digits of baht, which a number holds exactly in satang. */
const BAHT = /^(\d{1,10})(?:\.(\d{1,2}))?$/;
const SATANG_PER_BAHT = 100;

/**
 * Baht as people write them (`1299`, `1299.5`, `1299.00`) in satang, digit by digit.
 * @throws Error that shows the format, and follows the name of an option
 */
export function parseBaht(text: string): Money {
  const [, baht, satang = ''] = BAHT.exec(text) ?? [];
  const minor = Number(baht) * SATANG_PER_BAHT + Number(satang.padEnd(2, '0'));
  if (baht === undefined || minor === 0) {
    throw new Error('takes baht and satang, at least 0.01: 1299.00.');
  }
  return { currency: 'THB', minor };
}

/** `{ currency: 'THB', minor: 129900 }` → `1,299.00 THB`. */
export function formatMoney({ currency, minor }: { currency: string; minor: number }): string {
  const digits = String(minor).padStart(3, '0');
  const baht = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${baht}.${digits.slice(-2)} ${currency}`;
}
