import { describe, expect, it } from 'vitest';
import { nextRefundLookUpOf, nextRetrievalAt } from '../../shared/domain/look-up.ts';
import { nextPaymentLookUpOf, type Payment, type PaymentStatus } from '../../shared/domain/payment.ts';
import { ENTITIES } from '../support/world/entities.ts';

const BEGAN_MS = 1_000_000;
const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];

/** @param reference that of its provider, if it has one */
function paymentWith(status: PaymentStatus, reference: string | null): Payment {
  const nextAction = { type: 'redirect', url: 'https://bank.example' } as const;
  const made = { id: 'att_1', method: 'truemoney', createdAtMs: BEGAN_MS } as const;
  const attempt = { ...made, nextAction, ...(reference !== null && { reference }) };
  return { ...ENTITIES.payment, status, updatedAtMs: BEGAN_MS, attempt };
}

/** All look-ups of a payment in one status, since that status began. */
function lookUpsOf(status: PaymentStatus, count: number, reference: string | null = 'pi_1'): number[] {
  const payment = paymentWith(status, reference);
  const times: number[] = [];
  for (let fromMs = BEGAN_MS; times.length < count; ) {
    const next = nextPaymentLookUpOf(payment, fromMs);
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

  it('is looked up by a job that names it and its status', () => {
    const job = { kind: 'look-up-payment', dueAtMs: BEGAN_MS + HOUR_MS, status: 'processing' };
    const payment = paymentWith('processing', 'pi_1');
    expect(nextPaymentLookUpOf(payment, BEGAN_MS)).toEqual({ ...job, paymentId: payment.id });
  });

  it('is looked up each hour for as long as it is processing', () => {
    expect(lookUpsOf('processing', 4)).toEqual([1, 2, 3, 4].map((hours) => hours * HOUR_MS));
  });

  it.each(['expired', 'canceled'] as const)('that is %s is looked up each day for three days', (status) => {
    expect(lookUpsOf(status, 9)).toEqual([1, 2, 3].map((days) => days * DAY_MS));
  });

  it.each(['created', 'succeeded', 'failed'] as const)('that is %s is not looked up', (status) => {
    expect(lookUpsOf(status, 9)).toEqual([]);
  });

  it('is never looked up in test mode', () => {
    expect(lookUpsOf('processing', 9, null)).toEqual([]);
    const payment = { ...paymentWith('processing', null), attempt: null };
    expect(nextPaymentLookUpOf(payment, BEGAN_MS)).toBeNull();
  });
});

describe('a refund that its provider has', () => {
  const refund = { id: 'ref_1', updatedAtMs: BEGAN_MS, providerReference: 're_1' };

  it('is looked up soon, then less and less often, then each day until it has ended', () => {
    const times: number[] = [];
    for (let fromMs = BEGAN_MS; times.length < 7; ) {
      fromMs = Number(nextRefundLookUpOf(refund, fromMs)?.dueAtMs);
      times.push((fromMs - BEGAN_MS) / MINUTE_MS);
    }
    expect(times).toEqual([1, 5, 30, 120, 720, 720 + 1_440, 720 + 2_880]);
    const job = { kind: 'look-up-refund', dueAtMs: BEGAN_MS + MINUTE_MS, refundId: 'ref_1' };
    expect(nextRefundLookUpOf(refund, BEGAN_MS)).toEqual(job);
  });

  it('is not looked up in test mode', () => {
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
