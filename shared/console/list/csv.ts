import { isMoney } from '../../story/amounts.ts';
import { type Column, columnValue } from '../../story/lists.ts';
import { bangkokInstant } from '../../story/times.ts';
import { listViewTexts } from './list-view-texts.ts';

/** Without it, spreadsheets take a file for one of an old encoding, and break every Thai letter. */
const BYTE_ORDER_MARK = '\ufeff';
/** A spreadsheet would take a text that begins so for a formula. Apostrophes before it are part of the guard. */
const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;
/** What a spreadsheet takes for a truth value or an error. */
const WORD_VALUE = /^\s*(?:true|false|จริง|เท็จ|#[a-z0-9/]+[!?]?)\s*$/iu;
/** Words that stand beside figures in a number, an amount or a time. */
const WORDS_OF_NUMBERS = new RegExp(
  [
    '(?:january|february|march|april|may|june|july|august|september|october|november|december)',
    '(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)',
    '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?',
    '(?:มกรา|มีนา|พฤษภา|กรกฎา|สิงหา|ตุลา|ธันวา)(?:คม)?|(?:เมษา|มิถุนา|กันยา|พฤศจิกา)(?:ยน)?|กุมภา(?:พันธ์)?',
    '[มกพสตธ]\\.?[คพย]\\.?|มี\\.?ค\\.?|เม\\.?ย\\.?|มิ\\.?ย\\.?|พ\\.?ศ\\.?|ค\\.?ศ\\.?|น\\.|บาท',
    'thb|usd|eur|baht|[ap]\\.?m\\.?|(?<=\\p{N}[\\s.,]*)[apetzdf](?=\\P{L}|$)',
  ].join('|'),
  'giu',
);
/** A longer text in a formula is an error. */
const FORMULA_TEXT_MAX_CHARS = 255;

/**
 * The rows of a list as CSV (RFC 4180), for spreadsheets and for programs (contract §13): amounts are decimal numbers,
 * times are in Bangkok, and a text is the same text in a spreadsheet.
 */
export function csvOf(columns: readonly Column[], rows: readonly unknown[]): string {
  const titles = columns.map(({ title, kind }) => (kind === 'time' ? listViewTexts.inBangkok(title) : title));
  return BYTE_ORDER_MARK + lineOf(titles) + csvRows(columns, rows);
}

/** More rows of such a file. */
export function csvRows(columns: readonly Column[], rows: readonly unknown[]): string {
  return rows
    .map((row) => lineOf(columns.map((column) => cellOf(column, columnValue(column, row)))))
    .join('');
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function cellOf({ kind }: Column, value: unknown): string {
  if (value === undefined) {
    return '';
  }
  if (isMoney(value)) {
    return (value.minor / 100).toFixed(2);
  }
  if (kind === 'time') {
    return bangkokInstant(new Date(String(value)));
  }
  return typeof value === 'number' || kind === 'day' ? String(value) : textCell(String(value));
}

/** A text such that a spreadsheet keeps it: `="00123"` where it looks like a number, `'=1+1` where like a formula. */
function textCell(text: string): string {
  if (looksLikeNumber(text) && text.length <= FORMULA_TEXT_MAX_CHARS) {
    return `="${text}"`;
  }
  return FORMULA.test(text) || looksLikeNumber(text) ? `'${text}` : text;
}

/** Whether a spreadsheet may take a text for a number, an amount, a time or a truth value, and change it. */
function looksLikeNumber(text: string): boolean {
  const hasFigures = /\p{N}/u.test(text);
  const rest = text.replace(WORDS_OF_NUMBERS, '');
  return WORD_VALUE.test(text) || (hasFigures && !/[\p{L}\p{Mn}"'=@＝＠]/u.test(rest));
}

function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
