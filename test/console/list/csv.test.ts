import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { csvOf } from '../../../shared/console/list/csv.ts';
import { type Column, LISTS } from '../../../shared/story/lists.ts';

const COLUMNS = LISTS.payment.columns.slice(0, 5);
const TITLES = 'Amount,Status,Method,Number,Reference\r\n';
const REFERENCE: readonly Column[] = [{ title: 'Reference', kind: 'text', fields: ['reference'] }];
const row = (reference: string) => ({
  amount: { currency: 'THB', minor: 129_905 },
  status: 'succeeded',
  method: null,
  number: 'P-000001',
  reference,
});

/** The cells of a file, read as RFC 4180 says, and no otherwise. */
function readCsv(file: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let rest = file;
  while (rest !== '') {
    const [all, inQuotes, plain, end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (all === undefined) {
      throw new Error(`no CSV: ${JSON.stringify(rest.slice(0, 40))}`);
    }
    cells.push(inQuotes?.replaceAll('""', '"') ?? plain ?? '');
    rest = rest.slice(all.length);
    if (end !== ',') {
      rows.push(cells);
      cells = [];
    }
  }
  return rows;
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)|[มกพสตธ]\\.?[คพย]\\.';
const NUMBER =
  '[+-]?(?:[฿$€£¥]|thb)?\\s*(?:\\p{Nd}[\\p{Nd},]*\\.?\\p{Nd}*|\\.\\p{Nd}+)(?:e[+-]?\\p{Nd}+)?\\s*(?:%|฿|บาท)?';
const TIME = '\\d{1,2}(?::\\d{1,2}){1,2}(?:\\.\\d+)?(?:\\s*[ap]\\.?m?\\.?)?|\\d{1,2}\\s*[ap]\\.?m?\\.?';
const DAY = [
  '\\d{1,4}\\s*[-/.]\\s*\\d{1,4}(?:\\s*[-/.]\\s*\\d{1,4})?',
  `\\d{1,2}[-/. ]*(?:${MONTH})(?:[-/., ]*\\d{1,4})?`,
  `(?:${MONTH})[-/., ]*\\d{1,4}(?:\\s*,?\\s*\\d{1,4})?`,
].join('|');
/** What spreadsheets (Excel, LibreOffice, Google Sheets, in English and in Thai) make of a cell of a file. */
const KINDS: readonly (readonly [kind: string, form: RegExp])[] = [
  ['nothing', /^$/],
  ['number', new RegExp(`^\\s*(?:${NUMBER}|\\(\\s*${NUMBER}\\s*\\)|[+-]?\\d+\\s+\\d+/\\d+)\\s*$`, 'iu')],
  ['time', new RegExp(`^\\s*(?:(?:${DAY})(?:[t ]+(?:${TIME}))?(?:(?<=\\d)z)?|${TIME})\\s*$`, 'iu')],
  ['truth', /^\s*(true|false)\s*$/i],
  ['error', /^\s*#(n\/a|null!|ref!|div\/0!|value!|name\?|num!)\s*$/i],
  ['formula', /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u],
];

function inSpreadsheet(cell: string): { readonly kind: string; readonly value: string } {
  const [, held] = /^="((?:[^"]|"")*)"$/.exec(cell) ?? [];
  if (held !== undefined && held.length <= 255) {
    return { kind: 'text', value: held.replaceAll('""', '"') };
  }
  const [kind = 'text'] = KINDS.find(([, form]) => form.test(cell)) ?? [];
  return { kind, value: cell };
}

/** What a program makes of a text (contract §13). */
function inProgram(cell: string): string {
  const [, held] = /^="(.*)"$/s.exec(cell) ?? [];
  const isGuarded = /^'+(\s*[=+\-@＝＋－＠]|[\t\r\n])/u.test(cell) || /^'.{256,}/s.test(cell);
  return held ?? (isGuarded ? cell.slice(1) : cell);
}

const cellOf = (reference: string) => {
  const [, cells = []] = readCsv(csvOf(REFERENCE, [{ reference }]).slice(1));
  return String(cells[0]);
};

const SAMPLES = [
  ...[
    '00123',
    '1E5',
    '1e-3',
    ...['1.e5', '1,e5'],
    '2026-11',
    '1-2',
    '3/4',
    '1/2/26',
    '12345678901234567890',
    '0',
    '-5',
    '+5',
    '.5',
  ],
  ...['1,299.00', '฿1,299', '1299 บาท', 'THB 100', '12%', '(5)', '1 1/2', '12:30', '9:05 PM', '12 p', '12a'],
  ...['MAR1', 'Nov 2026', '5 พ.ย.', '27 พ.ย. 2569', 'DEC-1', 'Sept 5, 2026', '2026-11-27T14:05:09Z', '๑๒๓'],
  ...['TRUE', 'false', '#N/A', '#REF!', '+66812345678', '081-234-5678', '-0', '=1+1', '@SUM(A1)', '-x', '+x'],
  ...[
    '\tx',
    '\r=1',
    '\n=1',
    ' =1+1',
    '＝1+1',
    "'=1",
    "''=1",
    "'abc",
    '="00123"',
    '="a"&"b"',
    '-2+3+cmd|x!A0',
  ],
  ...[
    'order-1042',
    'P-000001',
    '#1042',
    'a,b',
    'a "b"',
    'สมชาย ใจดี',
    'E5',
    '12 boxes',
    'May',
    '-1'.repeat(200),
  ],
];
const PIECES = fc.constantFrom(
  ...[
    '0',
    '1',
    '9',
    '12',
    '๓',
    '.',
    ',',
    '-',
    '+',
    '/',
    ':',
    ' ',
    'E',
    'e',
    '%',
    '฿',
    '(',
    ')',
    '"',
    "'",
    '=',
    '@',
  ],
  ...[
    'Mar',
    'nov',
    'ม.ค.',
    'พ.ศ.',
    'am',
    'p',
    'T',
    'Z',
    'TRUE',
    'order',
    'ก',
    '\t',
    '\r',
    '\n',
    ';',
    '#',
    '＋',
  ],
);
const TEXTS = fc.oneof(
  fc.constantFrom(...SAMPLES),
  fc.array(PIECES, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
);

describe('an export', () => {
  it('gives the rows as a spreadsheet takes them: decimal amounts, quoted texts', () => {
    expect(csvOf(COLUMNS, [row('a "b", c')])).toBe(
      `\ufeff${TITLES}1299.05,succeeded,,P-000001,"a ""b"", c"\r\n`,
    );
  });

  it('is UTF-8 with a byte order mark: a spreadsheet reads Thai', () => {
    const bytes = Buffer.from(csvOf(COLUMNS, [row('สมชาย')]));
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect(bytes.toString()).toContain(',สมชาย\r\n');
  });

  it.each([
    ['2026-11-27T07:05:09.000Z', '2026-11-27 14:05:09'],
    // It is the next day in Bangkok.
    ['2026-12-31T17:00:00.000Z', '2027-01-01 00:00:00'],
  ])('has %s as a time in Bangkok that a spreadsheet reads: %s', (created_at, shown) => {
    const columns = LISTS.payment.columns.filter(({ kind }) => kind === 'time');
    const [[title], [cell = '']] = readCsv(csvOf(columns, [{ created_at }]).slice(1)) as [string[], string[]];
    expect([title, cell]).toEqual(['Created (Bangkok)', shown]);
    expect(inSpreadsheet(cell).kind).toBe('time');
  });

  it('has the days of settlements as days, counts and amounts as numbers', () => {
    const day = LISTS.settlement.columns.filter(({ title }) => title === 'Day' || title === 'Expected');
    const values = { value_date: '2026-11-27', expected: { currency: 'THB', minor: -5 } };
    expect(readCsv(csvOf(day, [values]).slice(1))[1]).toEqual(['-0.05', '2026-11-27']);
    const uses = LISTS.paymentLink.columns.filter(({ title }) => title === 'Uses');
    expect(readCsv(csvOf(uses, [{ uses: 12 }]).slice(1))[1]).toEqual(['12']);
  });

  it.each([
    ['00123', '="00123"'],
    ['1E5', '="1E5"'],
    ['2026-11', '="2026-11"'],
    ['12345678901234567890', '="12345678901234567890"'],
    ['+66812345678', '="+66812345678"'],
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\r=1+1', "'\r=1+1"],
    ['-x', "'-x"],
    ['order-1042', 'order-1042'],
    ['P-000001', 'P-000001'],
    ['a\rb', 'a\rb'],
  ])('has %j as %j', (text, cell) => {
    expect(cellOf(text)).toBe(cell);
  });

  test('keeps every text as it is, in a spreadsheet and for a program, and no text is a formula', {
    tags: 'slow',
  }, () => {
    const check = (text: string) => {
      const cell = cellOf(text);
      const { kind, value } = inSpreadsheet(cell);
      expect([kind, inProgram(cell)], cell).toEqual(['text', text]);
      // A guard that is seen stands only before what would begin a formula, or is too long for another guard.
      expect(
        [text, ...(inSpreadsheet(text).kind === 'text' ? [] : [`'${text}`]), `'${text}`].includes(value),
      ).toBe(true);
    };
    for (const text of SAMPLES) {
      check(text);
    }
    fc.assert(fc.property(TEXTS, check), { numRuns: 20_000 });
  });

  test('is read whole, whatever its texts are', { tags: 'slow' }, () => {
    const texts = fc.array(TEXTS, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, (references) => {
        const file = csvOf(COLUMNS, references.map(row));
        const rows = readCsv(file.slice(1));
        expect(rows.length).toBe(references.length + 1);
        expect(rows.slice(1).map((cells) => [cells.length, cells[0], inProgram(String(cells[4]))])).toEqual(
          references.map((reference) => [5, '1299.05', reference]),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
