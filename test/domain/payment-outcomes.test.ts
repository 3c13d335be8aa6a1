import { describe, expect, it } from 'vitest';
import {
  applyPaymentOutcome,
  PAYMENT_OUTCOMES,
  PAYMENT_STATUSES,
  type PaymentOutcome,
  type PaymentStatus,
} from '../../shared/domain/payment.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { readLife, type Square, statesAllowing } from '../support/tools/life-table.ts';
import { aPayment, became, CREATED_AT_MS } from '../support/world/entities.ts';

const NOW = CREATED_AT_MS;

/** Contract §5: the status of a payment after each outcome of Simulate. */
const BY_OUTCOME = readLife(`
                  pending     succeeded  failed  mismatch
  created         processing  succeeded  failed  processing
  requires_action processing  succeeded  failed  processing
  processing      -           succeeded  failed  processing
  succeeded       -           -          -       -
  failed          -           -          -       -
  expired         -           succeeded  -       -
  canceled        -           succeeded  -       -
`);
/** Contract §5: its events. */
const EVENT_OF: Readonly<Record<PaymentOutcome, string>> = {
  pending: 'payment.processing',
  succeeded: 'payment.succeeded',
  failed: 'payment.failed',
  mismatch: 'payment.amount_mismatch',
};

function paymentIn({ from }: Square, changes: { version?: number } = {}) {
  return aPayment({ status: from as PaymentStatus, ...changes });
}

function outcomeOf({ command }: Square): PaymentOutcome {
  return command as PaymentOutcome;
}

describe("a provider's outcome of a payment", () => {
  it('is succeeded, failed, pending or mismatch', () => {
    expect(PAYMENT_OUTCOMES.toSorted()).toEqual(['failed', 'mismatch', 'pending', 'succeeded']);
    expect(BY_OUTCOME).toHaveLength(PAYMENT_STATUSES.length * PAYMENT_OUTCOMES.length);
  });

  it.each(BY_OUTCOME.filter(({ to }) => to !== null))(
    'moves one that is $from by $command to $to in one step, with its event',
    (square) => {
      const payment = Object.freeze(paymentIn(square, { version: 4 }));
      const { resource, before, steps } = applyPaymentOutcome(payment, outcomeOf(square), NOW + 5);
      const isLate = ['expired', 'canceled'].includes(square.from);
      expect(resource).toBe('payment');
      expect(before).toBe(payment);
      expect(steps).toEqual([
        {
          event: EVENT_OF[outcomeOf(square)],
          previousStatus: square.from,
          after: {
            ...became(payment, square.to as PaymentStatus, NOW + 5),
            succeededAtMs: square.to === 'succeeded' ? NOW + 5 : null,
            late: isLate,
          },
        },
      ]);
    },
  );

  it.each(BY_OUTCOME.filter(({ to }) => to === null))(
    'is refused if it reports $command of one that is $from',
    (square) => {
      const refused = () => applyPaymentOutcome(paymentIn(square), outcomeOf(square), NOW);
      const { status, details } = problemOf(refused, 'invalid_state');
      expect([status, details.current_status]).toEqual([409, square.from]);
      expect(details.allowed_from.toSorted()).toEqual(statesAllowing(BY_OUTCOME, square.command).toSorted());
    },
  );

  it.each(['created', 'requires_action', 'processing'] as const)(
    'never marks one that is %s as paid by another amount, however often it is reported',
    (status) => {
      const once = afterOf(applyPaymentOutcome(aPayment({ status }), 'mismatch', NOW));
      const twice = applyPaymentOutcome(once, 'mismatch', NOW + 1).steps;
      expect(twice).toMatchObject([
        {
          event: 'payment.amount_mismatch',
          previousStatus: 'processing',
          after: { status: 'processing', succeededAtMs: null },
        },
      ]);
    },
  );

  it('can still be success after another amount was reported', () => {
    const mismatched = afterOf(applyPaymentOutcome(aPayment(), 'mismatch', NOW));
    const paid = afterOf(applyPaymentOutcome(mismatched, 'succeeded', NOW + 1));
    expect(paid).toMatchObject({ status: 'succeeded', late: false, succeededAtMs: NOW + 1 });
  });

  it('is as late as the millisecond at which the time of the payment is over', () => {
    const payment = aPayment({ status: 'requires_action' });
    const lateAt = (nowMs: number) => afterOf(applyPaymentOutcome(payment, 'succeeded', nowMs)).late;
    expect([lateAt(payment.expiresAtMs - 1), lateAt(payment.expiresAtMs)]).toEqual([false, true]);
  });

  it.each(['created', 'requires_action'] as const)(
    'follows the expiry event in one change, if one that is %s is paid late',
    (status) => {
      const payment = aPayment({ status, version: 2 });
      const paidAtMs = payment.expiresAtMs + 1_000;
      const expired = became(payment, 'expired', payment.expiresAtMs);
      const success = { late: true, succeededAtMs: paidAtMs };
      expect(applyPaymentOutcome(payment, 'succeeded', paidAtMs).steps).toEqual([
        { event: 'payment.expired', previousStatus: status, after: expired },
        {
          event: 'payment.succeeded',
          previousStatus: 'expired',
          after: { ...became(expired, 'succeeded', paidAtMs), ...success },
        },
      ]);
    },
  );

  it.each(['pending', 'failed', 'mismatch'] as const)(
    'is refused if it reports %s of one that is due to expire, recorded or not',
    (outcome) => {
      const payment = aPayment({ status: 'requires_action' });
      const act = () => applyPaymentOutcome(payment, outcome, payment.expiresAtMs);
      expect(problemOf(act).details).toMatchObject({ current_status: 'expired' });
    },
  );

  it('is never late while money was in flight: such a payment does not expire', () => {
    const payment = aPayment({ status: 'processing' });
    const { steps } = applyPaymentOutcome(payment, 'succeeded', payment.expiresAtMs + 1_000);
    expect(steps).toMatchObject([
      { event: 'payment.succeeded', previousStatus: 'processing', after: { late: false } },
    ]);
  });

  it('never lets the time of a payment run backwards', () => {
    const payment = aPayment({ status: 'processing', updatedAtMs: NOW + 1_000 });
    expect(afterOf(applyPaymentOutcome(payment, 'succeeded', NOW))).toMatchObject({
      updatedAtMs: NOW + 1_000,
      succeededAtMs: NOW + 1_000,
    });
  });

  it('records the code of a failure, and nothing of a pending payment', () => {
    const report = { resultCode: 'insufficient_funds', amount: { currency: 'THB', minor: 1 } } as const;
    const failed = afterOf(applyPaymentOutcome(aPayment(), 'failed', NOW, report));
    expect([failed.failureCode, failed.received]).toEqual(['insufficient_funds', undefined]);
    const withoutCode = afterOf(applyPaymentOutcome(aPayment(), 'failed', NOW));
    expect(withoutCode).not.toHaveProperty('failureCode');
    const pending = afterOf(applyPaymentOutcome(aPayment(), 'pending', NOW, report));
    expect([pending.failureCode, pending.received]).toEqual([undefined, undefined]);
  });

  it('records the latest amount that differs from the requested one', () => {
    const [first, second] = [130_000, 1].map((minor) => ({ amount: { currency: 'THB' as const, minor } }));
    const once = afterOf(applyPaymentOutcome(aPayment(), 'mismatch', NOW, first));
    expect(once.received).toEqual(first?.amount);
    const twice = afterOf(applyPaymentOutcome(once, 'mismatch', NOW, second));
    expect(twice.received).toEqual(second?.amount);
    const thrice = afterOf(applyPaymentOutcome(twice, 'mismatch', NOW, first));
    expect([twice.mismatches, thrice.mismatches]).toEqual([2, 3]);
    expect(once).not.toHaveProperty('mismatches');
    const withoutAmount = afterOf(applyPaymentOutcome(aPayment(), 'mismatch', NOW));
    expect(withoutAmount).not.toHaveProperty('received');
    expect(withoutAmount).not.toHaveProperty('mismatches');
  });
});
