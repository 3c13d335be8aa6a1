import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  HOUR_MS,
  isCalendarDate,
  MINUTE_MS,
  parseInstant,
  SECOND_MS,
  toTimestamp,
} from '../../shared/domain/clock.ts';

describe('the clock', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    // RFC 3339, section 5.8: the same instant in UTC.
    [Date.UTC(1985, 3, 12, 23, 20, 50, 520), '1985-04-12T23:20:50.520Z'],
    [Date.UTC(2028, 1, 29, 23, 59, 59, 999), '2028-02-29T23:59:59.999Z'],
  ])('shows %i as RFC 3339 in UTC with milliseconds', (epochMs, text) => {
    expect(toTimestamp(epochMs)).toBe(text);
  });

  it('counts in milliseconds', () => {
    expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
  });
});

describe('a calendar date', () => {
  it.each(['0001-01-01', '1970-01-01', '2000-02-29', '2026-11-02', '2028-02-29', '9999-12-31'])(
    'is %s',
    (text) => {
      expect(isCalendarDate(text)).toBe(true);
    },
  );

  it.each([
    ['a day that does not exist', '2026-02-30'],
    ['a leap day of a common year', '2026-02-29'],
    ['a leap day of a century', '2100-02-29'],
    ['the month 13', '2026-13-01'],
    ['the day 0', '2026-11-00'],
    ['one digit of a month', '2026-1-01'],
    ['a time as well', '2026-11-01T00:00:00Z'],
    ['a space before it', ' 2026-11-01'],
    ['a line break after it', '2026-11-01\n'],
    ['nothing in it', ''],
    ['a year of five digits', '+012026-11-01'],
  ])('is not a text with %s', (_name, text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

describe('an instant', () => {
  it.each([
    ['2026-11-02t03:04:05z', '2026-11-02T03:04:05.000Z'],
    ['2026-11-02T10:04:05+07:00', '2026-11-02T03:04:05.000Z'],
    ['2026-11-02T03:04:05-00:00', '2026-11-02T03:04:05.000Z'],
    ['2026-11-02T03:04:05.12345678901234567890Z', '2026-11-02T03:04:05.123Z'],
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'],
    ['1990-12-31T23:59:60.9Z', '1991-01-01T00:00:00.000Z'],
    ['2026-11-02T08:49:05.5+05:45', '2026-11-02T03:04:05.500Z'],
    ['2026-11-01T23:34:05-03:30', '2026-11-02T03:04:05.000Z'],
  ])('is read in every form of RFC 3339: %s', (text, expected) => {
    expect(toTimestamp(parseInstant(text) ?? Number.NaN)).toBe(expected);
  });

  it.each([
    '2026-11-02',
    '2026-11-02 03:04:05Z',
    '2026-11-02T24:00:00Z',
    '2026-11-02T03:60:00Z',
    '2026-11-02T03:04:60Z',
    '2026-02-30T00:00:00Z',
    '2026-11-02T03:04:05',
    '2026-11-02T03:04:05.Z',
    '2026-11-02T03:04:05+24:00',
    '2026-11-02T03:04:05+07:60',
    '2026-11-02T03:04:05Z.',
    '2026-11-02T03:04:05+07:000',
    '+2026-11-02T03:04:05Z',
    '2026-11-01T12:00:60Z',
  ])('is nothing else: %s', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
