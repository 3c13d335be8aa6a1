import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../shared/domain/parse-amount.ts';

describe('an amount as people write it', () => {
  it.each([
    ['250', 25_000],
    ['250.5', 25_050],
    ['0.29', 29],
    ['0.01', 1],
    [' 1,299.00 ', 129_900],
    ['1,234,567.89', 123_456_789],
    ['12,345', 1_234_500],
    ['123,456.7', 12_345_670],
    ['9999999999.99', 999_999_999_999],
    ['007', 700],
    ['250บาท', 25_000],
    ['250 baht', 25_000],
    ['250฿', 25_000],
  ])('%s is exact in satang', (text, minor) => {
    expect(parseAmount(text)).toBe(minor);
  });

  // In half of the world a comma is the point: an amount must not become a hundred times as much.
  it.each([
    '',
    '-1',
    '+1',
    '1e3',
    '1.234',
    '12,50',
    '1,29',
    '1,2345',
    ',5',
    '.5',
    '5.',
    '0x10',
    '1 000',
    'NaN',
    '1,000,000,000,000',
    '฿฿5',
    '๑,๒๙',
    '$5',
    '5 บาทถ้วน',
  ])('%j is not an amount', (text) => {
    expect(parseAmount(text)).toBeNull();
  });

  const baht = fc.integer({ min: 0, max: 9_999_999_999 });
  const satang = fc.integer({ min: 0, max: 99 });
  const inThaiDigits = (digits: string) =>
    digits.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0e50 + Number(digit)));
  const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

  it('is its baht times a hundred and its satang, in every way to write it', () => {
    fc.assert(
      fc.property(baht, satang, fc.boolean(), (whole, part, isGrouped) => {
        const minor = whole * 100 + part;
        const digits = isGrouped ? grouped(String(whole)) : String(whole);
        const two = String(part).padStart(2, '0');
        const ways = [two, ...(part % 10 === 0 ? [String(part / 10)] : [])].map((end) => `${digits}.${end}`);
        for (const text of part === 0 ? [...ways, digits] : ways) {
          for (const written of [
            text,
            inThaiDigits(text),
            `฿${text}`,
            `฿ ${text}`,
            ` ${text} บาท`,
            `${text} THB`,
          ]) {
            expect(parseAmount(written)).toBe(minor);
          }
        }
      }),
    );
  });

  it('holds every digit that was typed, or is no amount', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789,.'), maxLength: 24 });
    fc.assert(
      fc.property(text, (typed) => {
        const minor = parseAmount(typed);
        if (minor === null) {
          return;
        }
        const [whole = '', part = ''] = typed.replaceAll(',', '').split('.');
        expect(BigInt(minor)).toBe(BigInt(whole) * 100n + BigInt(part.padEnd(2, '0')));
      }),
      { numRuns: 2_000 },
    );
  });
});
