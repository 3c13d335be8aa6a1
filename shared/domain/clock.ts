export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An instant as the wire shows it: RFC 3339, UTC, milliseconds (contract §13). */
export function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The day of an instant (UTC): YYYY-MM-DD. */
export function toDay(epochMs: number): string {
  return toTimestamp(epochMs).slice(0, 'YYYY-MM-DD'.length);
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const LEAP_SECOND = '60';
const MONTH_START = '-01T00:00:00.000Z';

/**
 * An instant in any form of RFC 3339, in epoch milliseconds; null for everything else. What is below a millisecond is
 * dropped. A leap second, which only the end of a month in UTC can have, is the second after it.
 */
export function parseInstant(text: string): number | null {
  const [, date = '', hour, minute, second, fraction = '', sign, aheadHours, aheadMinutes] =
    INSTANT.exec(text) ?? [];
  if (!isCalendarDate(date)) {
    return null;
  }
  const isLeap = second === LEAP_SECOND;
  const millis = isLeap ? '' : fraction.slice(0, 3);
  const local = Date.parse(`${date}T${hour}:${minute}:${isLeap ? '59' : second}.${millis.padEnd(3, '0')}Z`);
  const aheadMs = sign === undefined ? 0 : Number(aheadHours) * HOUR_MS + Number(aheadMinutes) * MINUTE_MS;
  const atMs = (sign === '-' ? local + aheadMs : local - aheadMs) + (isLeap ? SECOND_MS : 0);
  return isLeap && !toTimestamp(atMs).endsWith(MONTH_START) ? null : atMs;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists, as YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00.000Z`);
  // 2026-02-30 parses as the 2nd of March: a date exists only if it formats back to the same text.
  return DATE.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
