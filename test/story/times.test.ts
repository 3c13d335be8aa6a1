import { describe, expect, test } from 'vitest';
import { formatMoney, inBaht } from '../../shared/story/amounts.ts';
import { bangkokTime, lengthOfTime, parseLength, relativeTime } from '../../shared/story/times.ts';

const NOW = new Date('2026-11-24T12:00:00Z');

describe('a time of the dashboard', () => {
  test('is that of Bangkok, with the year if it is another one', () => {
    expect(bangkokTime(new Date('2026-11-24T18:30:05Z'), NOW)).toBe('25 Nov, 01:30:05');
    expect(bangkokTime(new Date('2025-12-31T17:00:00Z'), NOW)).toBe('1 Jan, 00:00:00');
    expect(bangkokTime(new Date('2025-12-31T16:59:59Z'), NOW)).toBe('31 Dec 2025, 23:59:59');
    expect(bangkokTime(new Date('2026-09-05T02:03:04Z'), NOW)).toBe('5 Sep, 09:03:04');
  });

  test.each([
    [-2, 'just now'],
    [3, 'just now'],
    [-30, '30 s ago'],
    [-3_599, '59 min ago'],
    [-3_600, '1 h ago'],
    [86_400, 'in 1 d'],
    [15 * 60, 'in 15 min'],
  ])('%i seconds from now is %j', (seconds, text) => {
    expect(relativeTime(new Date(NOW.getTime() + seconds * 1_000), NOW)).toBe(text);
  });

  test.each([
    ['90s', 90],
    ['15m', 900],
    [' 2H ', 7_200],
    ['30d', 2_592_000],
    ['0m', null],
    ['-1d', null],
    ['1w', null],
    ['d', null],
    ['', null],
  ])('a step of %j is %s seconds', (text, seconds) => {
    expect(parseLength(text)).toBe(seconds);
  });

  test('says how far the clock is ahead', () => {
    expect(lengthOfTime(90_061)).toBe('1 d 1 h 1 min');
    expect(lengthOfTime(59)).toBe('');
  });
});

describe('an amount', () => {
  test('is shown in baht, from satang', () => {
    expect(formatMoney({ currency: 'THB', minor: 300_000_000_099 })).toBe('฿3,000,000,000.99');
    expect(formatMoney({ currency: 'THB', minor: 99_999 })).toBe('฿999.99');
    expect(formatMoney({ currency: 'THB', minor: 100_000 })).toBe('฿1,000.00');
    expect(formatMoney({ currency: 'THB', minor: -5 })).toBe('−฿0.05');
    expect(formatMoney({ currency: 'USD', minor: 100 })).toBe('USD 1.00');
  });

  test('is explained while it is typed, as long as it is a number', () => {
    expect(inBaht('129900')).toBe('satang: ฿1,299.00');
    expect(inBaht('12.5')).toBeNull();
  });
});
