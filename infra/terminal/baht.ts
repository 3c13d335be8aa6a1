import type { Money } from '../../shared/domain/money.ts';
import { parseAmount } from '../../shared/domain/parse-amount.ts';

/**
 * Baht as people write them (`1299`, `1299.5`, `1,299.00`).
 * @throws Error that shows the format, and follows the name of an option
 */
export function parseBaht(text: string): Money {
  const minor = parseAmount(text);
  if (minor === null || minor === 0) {
    throw new Error('takes baht and satang, at least 0.01: 1299.00.');
  }
  return { currency: 'THB', minor };
}

/** `{ currency: 'THB', minor: 129900 }` → `1,299.00 THB`. */
export function formatMoney({ currency, minor }: { currency: string; minor: number }): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  const baht = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${minor < 0 ? '-' : ''}${baht}.${digits.slice(-2)} ${currency}`;
}
