import { expect, test } from 'vitest';
import { retryAfterMs } from '../../shared/domain/retry-after.ts';

const NOW_MS = Date.UTC(2026, 10, 2, 3, 4, 5);

test.each([
  [429, '0', 0],
  [429, '30', 30_000],
  [503, '7200', 7_200_000],
  [503, 'Mon, 02 Nov 2026 03:05:05 GMT', 60_000],
  [503, 'Mon, 02 Nov 2026 03:03:05 GMT', 0],
  [503, '-1', 0],
  [503, '1e9', 0],
  [503, '99999999999999999999', 0],
  [503, 'a while', 0],
  [503, undefined, 0],
  [500, '30', 0],
  [200, '30', 0],
  [301, '30', 0],
  [null, '30', 0],
])('%s with Retry-After: %s delays the next attempt by %i ms', (status, header, waitMs) => {
  expect(retryAfterMs(status, header, NOW_MS)).toBe(waitMs);
});
