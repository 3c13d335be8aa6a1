import { formatMoney } from './baht.ts';

/* Formats responses for a terminal, without control characters, which could steer the terminal. */

const CONTROL = /[\p{Cc}\p{Cf}\s]+/gu;
const COLUMN_GAP = '  ';

type ShownItem = Readonly<Record<string, unknown>>;

/** One line for each item, in columns. */
export function tableLines(items: readonly object[], columns: readonly string[]): string[] {
  const rows = items.map((item) => columns.map((column) => formatValue((item as ShownItem)[column])));
  const widths = columns.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join(COLUMN_GAP)
      .trimEnd(),
  );
}

/** One line for each field that has a value, with its dotted path. */
export function fieldLines(data: object): string[] {
  const fields = flatten(data, '');
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${name.padEnd(width)}${COLUMN_GAP}${text}`);
}

function flatten(data: object, prefix: string): [name: string, text: string][] {
  return Object.entries(data).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined) {
      return [];
    }
    return typeof value === 'object' && !isMoney(value)
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${cleanText(name)}`, formatValue(value)]];
  });
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) {
    return '-';
  }
  if (typeof value === 'object') {
    return isMoney(value) ? formatMoney(value) : cleanText(JSON.stringify(value));
  }
  return cleanText(String(value));
}

function isMoney(value: object): value is { currency: string; minor: number } {
  return 'currency' in value && 'minor' in value && typeof value.minor === 'number';
}

export function cleanText(text: string): string {
  return text.replaceAll(CONTROL, ' ');
}
