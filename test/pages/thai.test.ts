import { expect, test } from 'vitest';
import { textsOf } from '../../shared/pages/texts.ts';
import { textsIn } from '../support/texts-in.ts';

const THAI = /[\u0e00-\u0e7f]/;
/** Names that Thai payers know only in Latin letters. */
const BRANDS = ['LINE Pay', 'ShopeePay'];

const texts = textsIn(textsOf('th'));

test('every Thai text is in Thai, except the brand names', () => {
  expect(texts.length).toBe(textsIn(textsOf('en')).length);
  expect(texts.filter((text) => !THAI.test(text))).toEqual(BRANDS);
});

test('the word for shop never breaks in two', () => {
  expect(texts.filter((text) => text.includes('ร้าน\u2060ค้า')).length).toBeGreaterThan(5);
  expect(texts.filter((text) => text.includes('ร้านค้า'))).toEqual([]);
});

test('Thai texts use one word for paying, and no gendered particles', () => {
  expect(texts.filter((text) => /จ่าย|ค่ะ|ครับ/.test(text))).toEqual([]);
});
