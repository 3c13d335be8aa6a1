import { describe, expect, test, vi } from 'vitest';
import { gapText } from '../../shared/story/story.ts';
import { bangkokInstant, bangkokTime, lengthOfTime, relativeTime } from '../../shared/story/times.ts';

// As in a browser that is set to Thai.
vi.mock('../../shared/story/language.ts', () => ({
  LANGUAGE: 'th',
  inLanguage: <Texts>({ th }: { readonly th: Texts }) => th,
}));

const NOW = new Date('2026-11-27T12:00:00Z');

describe('a time in Thai', () => {
  test('has the month in short, and the year of the Buddhist era if it is another one', () => {
    expect(bangkokTime(new Date('2026-11-27T02:42:04Z'), NOW)).toBe('27 พ.ย. 09:42:04');
    expect(bangkokTime(new Date('2025-12-31T16:59:59Z'), NOW)).toBe('31 ธ.ค. 2568 23:59:59');
  });

  test('is the same for spreadsheets', () => {
    expect(bangkokInstant(new Date('2026-11-27T02:42:04Z'))).toBe('2026-11-27 09:42:04');
  });

  test.each([
    [-2, 'เมื่อสักครู่'],
    [-30, '30 วินาทีที่แล้ว'],
    [-59 * 60, '59 นาทีที่แล้ว'],
    [-3 * 3_600, '3 ชม. ที่แล้ว'],
    [2 * 86_400, 'อีก 2 วัน'],
  ])('%i seconds from now is %j', (seconds, text) => {
    expect(relativeTime(new Date(NOW.getTime() + seconds * 1_000), NOW)).toBe(text);
  });

  test('has lengths in words', () => {
    expect(lengthOfTime(86_400 + 2 * 3_600 + 5 * 60)).toBe('1 วัน 2 ชม. 5 นาที');
    expect(gapText('2026-11-27T12:00:00Z', '2026-11-27T12:04:00Z')).toBe('4 นาทีต่อมา');
  });
});
