import { describe, expect, it } from 'vitest';
import { isSuccess, nextAttemptAt } from '../../shared/domain/delivery.ts';
import { CREATED_AT_MS } from '../support/world/entities.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Contract §10: the pause before each attempt. */
const PAUSES_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

/** Every attempt at an event whose deliveries all fail. */
function attemptTimes(firstAtMs: number): number[] {
  const times = [firstAtMs];
  for (let next = nextAttemptAt(1, firstAtMs); next !== null; next = nextAttemptAt(times.length, next)) {
    times.push(next);
  }
  return times;
}

describe('a delivery that fails', () => {
  it('is tried at 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, each after the one before', () => {
    const times = attemptTimes(CREATED_AT_MS);
    const pauses = times.map((time, index) => time - (times[index - 1] ?? CREATED_AT_MS));
    expect(pauses).toEqual(PAUSES_MS);
  });

  it('is exhausted after the eighth attempt', () => {
    expect(nextAttemptAt(7, CREATED_AT_MS)).not.toBeNull();
    expect(nextAttemptAt(8, CREATED_AT_MS)).toBeNull();
    expect(nextAttemptAt(9, CREATED_AT_MS)).toBeNull();
  });

  it('waits the full delay after an attempt that was late', () => {
    expect(nextAttemptAt(1, CREATED_AT_MS + 77)).toBe(CREATED_AT_MS + 77 + 5 * SECOND_MS);
  });
});

describe('a receiver that requests a delay', () => {
  const waitOf = (attempt: number, retryAfterMs: number) =>
    Number(nextAttemptAt(attempt, CREATED_AT_MS, retryAfterMs)) - CREATED_AT_MS;

  it.each([
    [1, 0, 5 * SECOND_MS],
    [1, 4 * SECOND_MS, 5 * SECOND_MS],
    [1, MINUTE_MS, MINUTE_MS],
    [1, HOUR_MS, 5 * MINUTE_MS],
    [4, 3 * HOUR_MS, 3 * HOUR_MS],
    [4, 30 * HOUR_MS, 5 * HOUR_MS],
    [7, 30 * HOUR_MS, 10 * HOUR_MS],
  ])(
    'after attempt %i for %i ms gets %i ms: the schedule at least, the next step at most',
    (attempt, requestedWait, wait) => {
      expect(waitOf(attempt, requestedWait)).toBe(wait);
    },
  );

  it('gets no more attempts than others', () => {
    expect(nextAttemptAt(8, CREATED_AT_MS, HOUR_MS)).toBeNull();
  });
});

describe('a response to a delivery', () => {
  it.each([200, 201, 204, 299])('%i means that it was accepted', (status) => {
    expect(isSuccess(status)).toBe(true);
  });

  it.each([100, 199, 300, 302, 304, 400, 404, 410, 500, 503, 599])(
    '%i means that it was not accepted',
    (status) => {
      expect(isSuccess(status)).toBe(false);
    },
  );
});
