import { Problem } from '../errors/problem.ts';

/** The published versions of the API, oldest first. */
export const API_VERSIONS = ['2026-11-01'] as const;
export const OLDEST_VERSION = API_VERSIONS[0];
export const NEWEST_VERSION = API_VERSIONS[API_VERSIONS.length - 1] ?? OLDEST_VERSION;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The newest published version that is not later than a date; the first one for a date before it (contract §3).
 * @throws Problem `version_invalid` where the text is not a calendar date
 */
export function resolveVersion(date: string): string {
  if (!isCalendarDate(date)) {
    throw new Problem('version_invalid');
  }
  return API_VERSIONS.findLast((version) => version <= date) ?? OLDEST_VERSION;
}

function isCalendarDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00.000Z`);
  // 2026-02-30 parses as the 2nd of March: a date is real only if it comes back as it went in.
  return DATE.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
