import { describe, expect, test, vi } from 'vitest';
import { faultText } from '../../../shared/console/act/fault-text.ts';
import { hintOf } from '../../../shared/console/call/form-values.ts';
import { csvOf } from '../../../shared/console/list/csv.ts';
import { filterName, filterValue } from '../../../shared/console/list/filter-words.ts';
import { factsOf } from '../../../shared/console/show/facts.ts';
import { problemTitles } from '../../../shared/console/show/problem-titles.ts';
import { factName } from '../../../shared/console/show/show-texts.ts';
import { ENDPOINT_URL_FAULTS } from '../../../shared/domain/endpoint-url-faults.ts';
import { catalogue } from '../../../shared/errors/catalogue.ts';
import { LISTS } from '../../../shared/story/lists.ts';

// As in a browser that is set to Thai.
vi.mock('../../../shared/story/language.ts', () => ({
  LANGUAGE: 'th',
  inLanguage: <Texts>({ th }: { readonly th: Texts }) => th,
}));

describe('the dashboard in Thai', () => {
  test('has a title for each refusal', () => {
    expect(Object.keys(problemTitles).toSorted()).toEqual(Object.keys(catalogue).toSorted());
    expect(Object.entries(problemTitles).filter(([, title]) => !/[ก-ฮ]/.test(title))).toEqual([]);
  });

  test('names lists, columns, filters and fields', () => {
    expect(LISTS.payment.title).toBe('รายการชำระเงิน');
    const times = LISTS.payment.columns.filter(({ kind }) => kind === 'time');
    expect(csvOf(times, [])).toBe('\ufeffสร้างเมื่อ (เวลาไทย)\r\n');
    expect([filterName('status'), filterValue('status', 'requires_action', 'payment')]).toEqual([
      'สถานะ',
      'รอชำระเงิน',
    ]);
    expect(factName('refunded_minor')).toBe('คืนเงินแล้ว');
    expect(factsOf({ method: 'truemoney', id: 'pay_1' }).map(({ value }) => value)).toContain('ทรูมันนี่ วอลเล็ท');
  });

  test('says what a field takes', () => {
    expect(hintOf('reference', { type: 'string', maxLength: 255 }, false, '')).toBe(
      'ข้อความ · ไม่เกิน 255 ตัวอักษร · ไม่บังคับ',
    );
  });

  test('says what is wrong with the address of an endpoint', () => {
    const said = Object.values(ENDPOINT_URL_FAULTS).map((message) =>
      faultText({ code: 'forbidden', field: 'url', message }, {}),
    );
    expect(said.filter((text) => !/[ก-ฮ]/.test(String(text)))).toEqual([]);
  });
});
