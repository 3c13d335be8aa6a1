import { describe, expect, it } from 'vitest';
import { API_VERSIONS, NEWEST_VERSION, resolveVersion } from '../../shared/contract/versions.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';

describe('a PG-Version', () => {
  it.each(API_VERSIONS)('that is published means itself: %s', (version) => {
    expect(resolveVersion(version)).toBe(version);
  });

  it.each(['2026-10-31', '2024-02-29', '2000-02-29', '1970-01-01', '0001-01-01'])(
    'before the first one, %s, means the first one',
    (date) => {
      expect(resolveVersion(date)).toBe(API_VERSIONS[0]);
    },
  );

  it.each(['2028-02-29', '2099-12-31', '9999-12-31'])('far ahead, %s, means the newest one', (date) => {
    expect(resolveVersion(date)).toBe(NEWEST_VERSION);
  });

  it.each([
    ['a day that does not exist', '2026-02-30'],
    ['a leap day of a common year', '2026-02-29'],
    ['a leap day of a century', '2100-02-29'],
    ['the 31st of a short month', '2026-11-31'],
    ['the month 13', '2026-13-01'],
    ['the month 0', '2026-00-10'],
    ['the day 0', '2026-11-00'],
    ['one digit of a month', '2026-1-01'],
    ['a time as well', '2026-11-01T00:00:00Z'],
    ['spaces around it', ' 2026-11-01 '],
    ['a line break', '2026-11-01\n'],
    ['slashes', '2026/11/01'],
    ['five digits of a year', '12026-11-01'],
    ['Thai digits', '๒๐๒๖-๑๑-๐๑'],
    ['nothing in it', ''],
    ['words', 'latest'],
    ['a version number', '1'],
  ])('with %s is refused', (_name, text) => {
    expect(problemOf(() => resolveVersion(text))).toMatchObject({ code: 'version_invalid', status: 400 });
  });
});

describe('the published versions', () => {
  it('are calendar dates, oldest first', () => {
    expect(API_VERSIONS.length).toBeGreaterThan(0);
    expect([...API_VERSIONS].toSorted()).toEqual([...API_VERSIONS]);
    expect(API_VERSIONS.filter((version) => Number.isNaN(Date.parse(version)))).toEqual([]);
  });
});
