import { describe, expect, it } from 'vitest';
import { nextLookUpOf, nextRefundLookUpOf, nextRetrievalAt } from '../../shared/domain/look-up.ts';

const BEGAN_MS = 1_000_000;
const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];

/** All look-ups of a payment in one status, since that status began. */
function lookUpsOf(status: string, count: number, reference: string | undefined = 'pi_1'): number[] {
  const attempt = { createdAtMs: BEGAN_MS, ...(reference !== undefined && { reference }) };
  const payment = { id: 'pay_1', status, updatedAtMs: BEGAN_MS, attempt };
  const times: number[] = [];
  for (let fromMs = BEGAN_MS; times.length < count; ) {
    const next = nextLookUpOf(payment, fromMs);
    if (next === null) {
      break;
    }
    fromMs = next.dueAtMs;
    times.push(fromMs - BEGAN_MS);
  }
  return times;
}

describe('a payment that its provider remembers', () => {
  it('is looked up 30 seconds, 2, 5 and 15 minutes after its attempt began', () => {
    const expected = [30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
    expect(lookUpsOf('requires_action', 9)).toEqual(expected);
  });

  it('is looked up each hour for as long as it is processing', () => {
    expect(lookUpsOf('processing', 4)).toEqual([1, 2, 3, 4].map((hours) => hours * HOUR_MS));
  });

  it.each(['expired', 'canceled'])('that is %s is looked up each day for three days', (status) => {
    expect(lookUpsOf(status, 9)).toEqual([1, 2, 3].map((days) => days * DAY_MS));
  });

  it.each(['created', 'succeeded', 'failed'])('that is %s is not looked up', (status) => {
    expect(lookUpsOf(status, 9)).toEqual([]);
  });

  it('is never looked up in test mode', () => {
    const payment = { id: 'pay_1', status: 'processing', updatedAtMs: BEGAN_MS };
    expect(nextLookUpOf({ ...payment, attempt: { createdAtMs: BEGAN_MS } }, BEGAN_MS)).toBeNull();
    expect(nextLookUpOf({ ...payment, attempt: null }, BEGAN_MS)).toBeNull();
  });
});

describe('a refund that its provider has', () => {
  const refund = { id: 'ref_1', status: 'processing', updatedAtMs: BEGAN_MS, providerReference: 're_1' };

  it('is looked up soon, then less and less often, then each day until it has ended', () => {
    const times: number[] = [];
    for (let fromMs = BEGAN_MS; times.length < 7; ) {
      fromMs = Number(nextRefundLookUpOf(refund, fromMs)?.dueAtMs);
      times.push((fromMs - BEGAN_MS) / MINUTE_MS);
    }
    expect(times).toEqual([1, 5, 30, 120, 720, 720 + 1_440, 720 + 2_880]);
  });

  it('is not looked up before it was handed over, after it has ended, and in test mode', () => {
    for (const status of ['requested', 'approved', 'succeeded', 'failed', 'rejected', 'canceled']) {
      expect(nextRefundLookUpOf({ ...refund, status }, BEGAN_MS)).toBeNull();
    }
    const { providerReference: _, ...simulated } = refund;
    expect(nextRefundLookUpOf(simulated, BEGAN_MS)).toBeNull();
  });
});

it('an unknown outcome is retried forever: after a minute, then ever later, up to hourly', () => {
  const times = [BEGAN_MS];
  while (times.length < 12) {
    times.push(nextRetrievalAt(BEGAN_MS, Number(times.at(-1))));
  }
  const pauses = times.slice(1).map((atMs, nth) => (atMs - Number(times[nth])) / MINUTE_MS);
  expect(pauses).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
});
