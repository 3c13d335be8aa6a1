import { isMoney } from './amounts.ts';
import { type Column, columnValue } from './lists.ts';

/** A spreadsheet would take a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The rows of a list as CSV (RFC 4180): amounts as decimal numbers, all else as the API has it. */
export function csvOf(columns: readonly Column[], rows: readonly unknown[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column) => textOf(columnValue(column, row)))),
  ];
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

function textOf(value: unknown): string {
  if (value === undefined) {
    return '';
  }
  if (isMoney(value)) {
    return (value.minor / 100).toFixed(2);
  }
  const text = String(value);
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
