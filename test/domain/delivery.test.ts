import { describe, expect, it } from 'vitest';
import {
  firstAttemptOf,
  isSuccess,
  nextAttemptAt,
  nextAttemptOf,
  recoveryOf,
  redeliveryOf,
} from '../../shared/domain/delivery.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { aDelivery, CREATED_AT_MS } from '../support/world/entities.ts';

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

describe('the job of an attempt', () => {
  const event = {
    id: 'evt_1',
    type: 'payment.created',
    resourceId: 'pay_1',
    sequence: 7,
    firstSequence: 6,
    body: '{}',
  };
  const ids = { eventId: 'evt_1', endpointId: 'whe_1', resourceId: 'pay_1' };
  const first = {
    kind: 'deliver-event',
    ...ids,
    sequence: 7,
    attempt: 1,
    dueAtMs: CREATED_AT_MS,
  };
  const delivery = aDelivery({ ...ids, sequence: 7, attempt: 3, nextAttemptAtMs: CREATED_AT_MS + 9 });

  it('is the first for an event, also where a missed one is recovered', () => {
    expect(firstAttemptOf(event, 'whe_1', CREATED_AT_MS)).toStrictEqual(first);
    expect(recoveryOf(event, 'whe_1', CREATED_AT_MS)).toStrictEqual({
      ...first,
      recoveredAtMs: CREATED_AT_MS,
    });
  });

  it('follows a failed one at the planned time, and knows that its event is recovered', () => {
    const next = { ...first, attempt: 4, dueAtMs: CREATED_AT_MS + 9 };
    expect(nextAttemptOf(delivery)).toStrictEqual(next);
    expect(nextAttemptOf({ ...delivery, recoveredAtMs: 5 })).toStrictEqual({ ...next, recoveredAtMs: 5 });
    expect(nextAttemptOf({ ...delivery, nextAttemptAtMs: null })).toBeNull();
  });

  it('by hand repeats an attempt outside the schedule', () => {
    expect(redeliveryOf(delivery, CREATED_AT_MS + 2)).toStrictEqual({
      ...first,
      attempt: 3,
      dueAtMs: CREATED_AT_MS + 2,
      isRedelivery: true,
    });
  });

  it('is refused for a ping, which is no event', () => {
    expect(problemOf(() => redeliveryOf({ ...delivery, body: '{}' }, CREATED_AT_MS)).code).toBe(
      'delivery_not_found',
    );
  });
});
