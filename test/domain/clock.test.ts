import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toTimestamp } from '../../shared/domain/clock.ts';

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
