import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { checkReturnUrl, text } from '../../shared/contract/fields.ts';
import { operations } from '../../shared/contract/operations.ts';
import { fieldErrorsOf } from '../support/world/refusals.ts';

const SCHEMA = text(0, 500);
const MESSAGE = 'must not contain control, invisible or direction-changing characters';

function isTaken(value: string): boolean {
  return v.is(SCHEMA, value);
}

describe('text that people read', () => {
  it.each([
    ['Thai', 'กาแฟเย็น ๒ แก้ว ฿๙๐ น้ำใจ'],
    ['other scripts', 'Zoë 東京 العربية हिन्दी'],
    ['lines and tabs', 'one\ntwo\r\n\tthree'],
    ['what the two joiners join', '👨\u200d👩\u200d👧 می\u200cخواهم क्\u200dष'],
    ['emoji', '☕️ 🇹🇭 👍🏽'],
    ['nothing', ''],
  ])('is accepted: %s', (_what, value) => {
    expect(isTaken(value)).toBe(true);
  });

  it.each([
    ['a null character', '\u0000'],
    ['an escape of terminals', '\u001b'],
    ['a C1 control', '\u0085'],
    ['a space of no width', '\u200b'],
    ['a soft hyphen', '\u00ad'],
    ['a mark of another direction', '\u200f'],
    ['an override of direction', '\u202e'],
    ['an isolate', '\u2066'],
    ['a byte order mark', '\ufeff'],
    ['a tag', '\u{e0041}'],
    ['a beam of music', '\u{1d173}'],
    ['half of a character', '\ud83c'],
  ])('is refused with %s in it, with the reason', (_what, character) => {
    const body = { amount: { currency: 'THB', minor: 1 }, customer: { name: `So${character}mchai` } };
    expect(fieldErrorsOf(operations.createPayment, body)).toEqual([
      { code: 'format', field: 'customer.name', message: MESSAGE },
    ]);
  });

  it('matches the document for every character of four hexadecimal digits', () => {
    const documented = new RegExp(String(v.getMetadata(SCHEMA).pattern), 'u');
    const differing: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const isHalf = code >= 0xd800 && code <= 0xdfff;
      const character = String.fromCharCode(code);
      if (!isHalf && documented.test(character) !== isTaken(character)) {
        differing.push(code.toString(16));
      }
    }
    expect(differing).toEqual([]);
  });
});

describe('the return URL of a payer', () => {
  it('must be https in live mode, in any spelling', () => {
    const refusals = (return_url: unknown, mode: 'test' | 'live') => checkReturnUrl({ return_url }, mode);
    const [refused, ...more] = refusals('http://shop.example/done', 'live');
    expect([refused?.code, refused?.field, more]).toEqual(['format', 'return_url', []]);
    expect(refused?.message).toBe('must begin with https:// in live mode');
    for (const url of ['https://shop.example/', 'HTTPS://shop.example/', undefined]) {
      expect(refusals(url, 'live')).toEqual([]);
    }
    expect(refusals('http://localhost:3000/done', 'test')).toEqual([]);
    // Stated once, by the rule for every URL.
    expect(refusals('http://a b/', 'live')).toEqual([]);
  });
});
