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

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists, as YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00.000Z`);
  // 2026-02-30 parses as the 2nd of March: a date exists only if it formats back to the same text.
  return DATE.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
