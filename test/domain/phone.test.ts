import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toE164 } from '../../shared/domain/phone.ts';

describe('a phone number', () => {
  it.each([
    '081-234-5678',
    '081 234 5678',
    '081.234.5678',
    '(081) 234-5678',
    '+66 81 234 5678',
    '+66 (0)81 234 5678',
    '(+66) 81-234-5678',
    '+660812345678',
    '0066812345678',
    '66812345678',
    '66 (0)81 234 5678',
    '081\u2013234\u20135678',
    '081 - 234 - 5678',
    '０８１\u3000２３４\u3000５６７８',
    '00 66 (0)81 234 5678',
    '+๖๖ ๘๑ ๒๓๔ ๕๖๗๘',
    '๐๘๑-๒๓๔-๕๖๗๘',
    '＋６６８１２３４５６７８',
    '\u202a081\u2011234\u20115678\u202c',
    '081\u00a0234\u00a05678',
  ])('is taken as people write it: %s', (text) => {
    expect(toE164(text)).toBe('+66812345678');
  });

  it.each([
    ['02-123-4567', '+6621234567'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+1 200 555 0100', '+12005550100'],
    ['00 44 20 7946 0958', '+442079460958'],
  ])('may be of a house or of another country: %s', (text, expected) => {
    expect(toE164(text)).toBe(expected);
  });

  it.each([
    '',
    '+',
    '12345',
    '0',
    '081-234-56789',
    '+66812345678901',
    '+6600812345678',
    '081/234/5678',
    '081--234-5678',
    '66 1 81 234 5678',
    '081234567a',
    '081 (+66) 234 5678',
    '81 00 234 5678',
    '+0812345678',
    '+1234567890123456',
    '668123456789',
    '6681234567',
    '66 5 123 4567',
    '1668 123 45678',
    '12 668 123 45678',
  ])('is refused where it cannot be one: %s', (text) => {
    expect(toE164(text)).toBeNull();
  });

  it('has forty characters at most, spaces and all', () => {
    const long = '(0)(8)(1) - (2)(3)(4) - (5)(6)(7)(8)';
    expect(toE164(long.padEnd(40))).toBe('+66812345678');
    expect(toE164(long.padEnd(41))).toBeNull();
  });

  it('becomes E.164 or nothing, and E.164 stays what it is', () => {
    const part = fc.constantFrom('+', '0', '6', '8', '1', '๑', '９', ' ', '-', '(', ')', '.');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const number = toE164(parts.join(''));
        expect(number === null || /^\+[1-9]\d{6,14}$/.test(number)).toBe(true);
        expect(number === null || toE164(number) === number).toBe(true);
      }),
    );
  });
});
