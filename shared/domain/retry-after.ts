import { SECOND_MS } from './clock.ts';

/** The statuses whose `Retry-After` counts (contract §14): too many requests, and not available. */
const WAITING = [429, 503];
const SECONDS = /^\d{1,9}$/;

/**
 * How long an HTTP response asks to wait, in milliseconds: `Retry-After` in seconds or as a date (RFC 9110, section
 * 10.2.3). 0 where it does not ask, or not in a known form.
 * @param status null without a response
 */
export function retryAfterMs(
  status: number | null,
  retryAfter: string | null | undefined,
  realNowMs: number,
): number {
  const asked = retryAfter ?? '';
  if (status === null || !WAITING.includes(status)) {
    return 0;
  }
  const ms = SECONDS.test(asked) ? Number(asked) * SECOND_MS : Date.parse(asked) - realNowMs;
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0);
}
