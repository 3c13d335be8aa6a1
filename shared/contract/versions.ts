import { isCalendarDate } from '../domain/clock.ts';
import { Problem } from '../errors/problem.ts';

/** The published versions of the API, oldest first. */
export const API_VERSIONS = ['2026-11-01'] as const;
const OLDEST_VERSION = API_VERSIONS[0];
export const NEWEST_VERSION = API_VERSIONS[API_VERSIONS.length - 1] ?? OLDEST_VERSION;

/**
 * The newest published version that is not later than a date; the first one for a date before it (contract §3).
 * @throws Problem `version_invalid` if the text is not a calendar date
 */
export function resolveVersion(date: string): string {
  if (!isCalendarDate(date)) {
    throw new Problem('version_invalid');
  }
  return API_VERSIONS.findLast((version) => version <= date) ?? OLDEST_VERSION;
}
