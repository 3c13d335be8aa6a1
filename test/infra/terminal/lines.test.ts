import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldLines, inBangkok, tableLines } from '../../../infra/terminal/lines.ts';

/** Letters with the columns that a terminal takes for each. A mark stands above or below the letter before it. */
const LETTERS: readonly (readonly [letter: string, columns: number])[] = [
  ...[...'abcXYZ019.-฿กชรงนเแไๆ๙'].map((letter) => [letter, 1] as const),
  ...['กิ', 'นี้', 'ที่', 'ผู้', 'ก็', 'e\u0301'].map((letter) => [letter, 1] as const),
  // Sara am stands beside its letter, though it belongs to it.
  ...['กำ', 'น้ำ'].map((letter) => [letter, 2] as const),
  ...[...'日本語한글ｗ😀'].map((letter) => [letter, 2] as const),
];
const cell = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 12 })
  .map((letters) => letters.map(([letter]) => letter).join(''));

/** The columns of a terminal that a text takes, by the letters above. */
function columnsOf(text: string): number {
  const known = new Map(LETTERS);
  const longestFirst = [...known.keys()].toSorted((one, other) => other.length - one.length);
  let columns = 0;
  for (let rest = text; rest !== ''; ) {
    const letter = longestFirst.find((each) => rest.startsWith(each)) ?? ' ';
    columns += known.get(letter) ?? 1;
    rest = rest.slice(letter.length);
  }
  return columns;
}

describe('what a terminal shows', () => {
  test('cannot be steered by what was typed into the API', () => {
    const item = { reference: 'a\u001b[2Jb\nc', metadata: { 'k\u0007': '\u202ex' } };
    expect(tableLines([item], ['reference'])).toEqual(['reference', 'a [2Jb c']);
    expect(fieldLines(item)).toEqual(['reference    a [2Jb c', 'metadata.k    x']);
  });

  test('has columns as wide as what is in them, and a dash for nothing', () => {
    const items = [
      { id: 'a', amount: { currency: 'THB', minor: 5 } },
      { id: 'bcd', amount: null },
    ];
    expect(tableLines(items, ['id', 'amount'])).toEqual(['id   amount', 'a    0.05 THB', 'bcd  -']);
  });

  test('has columns that fit Thai: marks above a letter take no room', () => {
    const items = [
      { name: 'น้ำดื่ม', id: '|' },
      { name: 'ค่าที่พัก', id: '|' },
      { name: 'tickets', id: '|' },
    ];
    expect(tableLines(items, ['name', 'id'])).toEqual([
      'name     id',
      'น้ำดื่ม     |',
      'ค่าที่พัก    |',
      'tickets  |',
    ]);
  });

  test('begins a column at the same place in every row, whatever script it is written in', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: cell, b: cell }), { minLength: 1, maxLength: 6 }), (items) => {
        const rows = tableLines(items, ['a', 'b']).slice(1);
        const starts = rows.map((row, index) => columnsOf(row.slice(0, -(items[index]?.b.length ?? 0))));
        expect(new Set(starts).size).toBe(1);
        expect(starts[0]).toBe(Math.max(...items.map(({ a }) => columnsOf(a))) + 2);
        const fields = Object.fromEntries(items.map(({ a }) => [`k${a}`, '|']));
        const values = fieldLines(fields).map((line) => columnsOf(line.slice(0, line.indexOf('|'))));
        expect(new Set(values).size).toBe(1);
      }),
    );
  });

  test('is in the time of Bangkok, within sentences too, and leaves what is no instant', () => {
    expect(inBangkok('must not be after 2026-11-02T17:00:05.120Z, the time of the clock')).toBe(
      'must not be after 2026-11-03 00:00:05 (Bangkok), the time of the clock',
    );
    expect(inBangkok('at 2099-01-01T00:00:00Z or later')).toBe('at 2099-01-01 07:00:00 (Bangkok) or later');
    for (const text of ['2026-99-99T00:00:00Z', 'x2026-11-02T17:00:05Z9', '2026-11-02', 'order-2026']) {
      expect(inBangkok(text)).toBe(text);
    }
    expect(fieldLines({ at: '2026-11-02T17:00:05.120Z', odd: '2026-99-99T00:00:00Z' })).toEqual([
      'at   2026-11-03 00:00:05 (Bangkok)',
      'odd  2026-99-99T00:00:00Z',
    ]);
  });
});
