import { styleText } from 'node:util';
import columnsOf from 'fast-string-width';
import { toneOf } from '../../shared/story/lists.ts';
import { bangkokInstant } from '../../shared/story/times.ts';
import { formatMoney } from './baht.ts';
import { cleanText } from './clean-text.ts';

/* Formats responses for a terminal, without control characters, which could steer the terminal. */

/** Instants are shown in the time of Bangkok; JSON has them as the API sends them. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const INSTANTS = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g;
const COLOURS = { good: 'green', bad: 'red', open: 'yellow' } as const;

const COLUMN_GAP = '  ';

type ShownItem = Readonly<Record<string, unknown>>;

/** A line of titles, and one for each item, in columns. Nothing where there are no items. */
export function tableLines(items: readonly object[], columns: readonly string[]): string[] {
  if (items.length === 0) {
    return [];
  }
  const values = items.map((item) => columns.map((column) => (item as ShownItem)[column]));
  const isTime = (index: number) => values.some((row) => isInstant(row[index]));
  const titles = columns.map((column, index) => (isTime(index) ? `${column} (Bangkok)` : column));
  const rows = [titles, ...values.map((row) => row.map(formatValue))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => columnsOf(row[index] ?? ''))));
  return rows.map((row, line) =>
    row
      .map((cell, index) => {
        const isLast = index === columns.length - 1;
        const shown = isLast ? cell : padded(cell, widths[index] ?? 0);
        return line > 0 && columns[index] === 'status' ? coloured(cell, shown) : shown;
      })
      .join(COLUMN_GAP),
  );
}

/** Fills a text up with spaces, by the columns that it takes: marks of Thai take none, some signs take two. */
function padded(text: string, columns: number): string {
  return text + ' '.repeat(columns - columnsOf(text));
}

/** A text in the colour of a status, where the terminal shows colours (it does not where the output is piped). */
export function coloured(status: string, text = status): string {
  const tone = toneOf(status) as keyof typeof COLOURS;
  return COLOURS[tone] === undefined ? text : styleText(COLOURS[tone], text);
}

/** `2026-11-02 10:00:05` */
export function bangkokTime(instant: string): string {
  return bangkokInstant(new Date(instant));
}

/** A text for people: each instant in it is shown as `2026-11-02 10:00:05 (Bangkok)`. */
export function inBangkok(text: string): string {
  return text.replaceAll(INSTANTS, (instant) =>
    isInstant(instant) ? `${bangkokTime(instant)} (Bangkok)` : instant,
  );
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));
}

/** One line for each field that has a value, with its dotted path. */
export function fieldLines(data: object): string[] {
  const fields = flatten(data, '');
  const width = Math.max(0, ...fields.map(([name]) => columnsOf(name)));
  return fields.map(([name, text]) => `${padded(name, width)}${COLUMN_GAP}${text}`);
}

function flatten(data: object, prefix: string): [name: string, text: string][] {
  return Object.entries(data).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined) {
      return [];
    }
    return typeof value === 'object' && !isMoney(value)
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${cleanText(name)}`, fieldText(name, value)]];
  });
}

function fieldText(name: string, value: unknown): string {
  const text = formatValue(value);
  return name === 'status' ? coloured(text) : isInstant(value) ? inBangkok(value) : text;
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) {
    return '-';
  }
  if (typeof value === 'object') {
    return isMoney(value) ? formatMoney(value) : cleanText(JSON.stringify(value));
  }
  return isInstant(value) ? bangkokTime(value) : cleanText(String(value));
}

function isMoney(value: object): value is { currency: string; minor: number } {
  return 'currency' in value && 'minor' in value && typeof value.minor === 'number';
}
