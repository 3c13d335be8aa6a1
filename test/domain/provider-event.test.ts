import { describe, expect, it } from 'vitest';
import type { Money } from '../../shared/domain/money.ts';
import { DELAY_SECONDS_MAX, PAYMENT_OUTCOMES, type PaymentOutcome } from '../../shared/domain/payment.ts';
import {
  outcomeOf,
  type ProviderEvent,
  paymentProviderEvent,
  refundProviderEvent,
  repeat,
  requireFittingAmount,
} from '../../shared/domain/provider-event.ts';
import { REFUND_OUTCOMES } from '../../shared/domain/refund.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { aPayment, aRefund } from '../support/world/entities.ts';

const IDS = { eventId: 'bank-1', actionId: 'act_1' };
const payment = aPayment({ amount: { currency: 'THB', minor: 10_000 } });
const refund = aRefund();
/** The outcomes without another amount. */
const PLAIN = ['succeeded', 'failed', 'pending'] as const;

function baht(minor: number): Money {
  return { currency: 'THB', minor };
}

function reportedMinor(outcome: PaymentOutcome, given?: number): number {
  const amount = given === undefined ? undefined : baht(given);
  const event = paymentProviderEvent(payment, IDS, { outcome, amount });
  requireFittingAmount(payment, event);
  return event.amount.minor;
}

describe("a provider's report", () => {
  it('is the same text for any order of the fields that the store returns', () => {
    const shuffled = aPayment({ amount: { minor: 10_000, currency: 'THB' } });
    const [one, other] = [payment, shuffled].map((of) =>
      paymentProviderEvent(of, IDS, { outcome: 'failed' }),
    );
    expect(JSON.stringify(other)).toBe(JSON.stringify(one));
  });

  it('on a payment has its id, the ids of the report, outcome, code and amount', () => {
    expect(paymentProviderEvent(payment, IDS, { outcome: 'succeeded' })).toEqual({
      about: 'payment',
      ...IDS,
      targetId: payment.id,
      outcome: 'succeeded',
      resultCode: 'approved',
      amount: baht(10_000),
    });
  });

  it('on a refund has its id, the ids of the report, outcome and code', () => {
    expect(refundProviderEvent(refund, IDS, { outcome: 'failed' })).toEqual({
      about: 'refund',
      ...IDS,
      targetId: refund.id,
      outcome: 'failed',
      resultCode: 'declined',
    });
  });

  it('can be queued for a week at most', () => {
    expect(DELAY_SECONDS_MAX).toBe(7 * 24 * 60 * 60);
  });
});

describe('the outcome of a simulation', () => {
  it.each([
    ['applied', 'succeeded'],
    ['queued', 'queued'],
    ['rejected', 'rejected'],
    ['skipped', 'skipped'],
  ] as const)('of a provider event that was %s is %s', (state, outcome) => {
    expect(outcomeOf(refundProviderEvent(refund, IDS, { outcome: 'succeeded' }), state)).toBe(outcome);
  });
});

describe('the result code of a provider', () => {
  it.each([
    ['succeeded', 'approved'],
    ['failed', 'declined'],
    ['pending', 'pending'],
    ['mismatch', 'amount_mismatch'],
  ] as const)('of a payment with the outcome %s is %s unless it is given', (outcome, code) => {
    expect(paymentProviderEvent(payment, IDS, { outcome }).resultCode).toBe(code);
  });

  it.each([
    ['succeeded', 'approved'],
    ['failed', 'declined'],
  ] as const)('of a refund with the outcome %s is %s unless it is given', (outcome, code) => {
    expect(refundProviderEvent(refund, IDS, { outcome }).resultCode).toBe(code);
  });

  it.each(PAYMENT_OUTCOMES)('of a payment with the outcome %s is the one that is given', (outcome) => {
    expect(paymentProviderEvent(payment, IDS, { outcome, resultCode: 'E-51' }).resultCode).toBe('E-51');
  });

  it.each(REFUND_OUTCOMES)('of a refund with the outcome %s is the one that is given', (outcome) => {
    expect(refundProviderEvent(refund, IDS, { outcome, resultCode: 'E-51' }).resultCode).toBe('E-51');
  });
});

describe('the amount that a provider reports', () => {
  it.each(PLAIN)("with %s is the payment's own, given or not", (outcome) => {
    expect(reportedMinor(outcome)).toBe(10_000);
    expect(reportedMinor(outcome, 10_000)).toBe(10_000);
  });

  it.each(PLAIN.flatMap((outcome) => [1, 9_999, 10_001].map((minor) => [outcome, minor] as const)))(
    'with %s cannot be a different one (%i)',
    (outcome, minor) => {
      expect(problemOf(() => reportedMinor(outcome, minor))).toMatchObject({
        code: 'amount_mismatch',
        status: 422,
        details: { expected_minor: 10_000 },
      });
    },
  );

  it('with a mismatch is one satang more unless it is given', () => {
    expect(reportedMinor('mismatch')).toBe(10_001);
  });

  it.each([1, 9_999, 10_001, 20_000])('with a mismatch is the one that is given (%i)', (minor) => {
    expect(reportedMinor('mismatch', minor)).toBe(minor);
  });

  it("with a mismatch cannot be the payment's own", () => {
    expect(problemOf(() => reportedMinor('mismatch', 10_000))).toMatchObject({
      code: 'amount_mismatch',
      status: 422,
    });
  });
});

describe('a repeated report under the same event id', () => {
  const onPayment = paymentProviderEvent(payment, IDS, { outcome: 'succeeded' });
  const onRefund = refundProviderEvent(refund, IDS, { outcome: 'succeeded' });

  function isConflict(first: ProviderEvent, event: ProviderEvent): boolean {
    const { code, status } = problemOf(() => repeat(first, event));
    return code === 'event_conflict' && status === 409;
  }

  it.each([onPayment, onRefund])('returns the first report on the $about, with its action', (first) => {
    expect(repeat(first, { ...first, actionId: 'act_2' })).toBe(first);
  });

  it('equals one whose defaults are spelled out now', () => {
    const spelledOut = { outcome: 'succeeded', resultCode: 'approved', amount: baht(10_000) } as const;
    expect(repeat(onPayment, paymentProviderEvent(payment, IDS, spelledOut))).toBe(onPayment);
  });

  it.each([
    ['payment', { targetId: 'pay_2' }],
    ['outcome', { outcome: 'failed' }],
    ['amount', { amount: baht(10_001) }],
    ['result code', { resultCode: 'late' }],
  ] as const)('is refused if it is of a payment and with another %s', (_name, change) => {
    expect(isConflict(onPayment, { ...onPayment, ...change })).toBe(true);
    expect(isConflict({ ...onPayment, ...change }, onPayment)).toBe(true);
  });

  it.each([
    ['refund', { targetId: 'ref_2' }],
    ['outcome', { outcome: 'failed' }],
    ['result code', { resultCode: 'late' }],
  ] as const)('is refused if it is of a refund and with another %s', (_name, change) => {
    expect(isConflict(onRefund, { ...onRefund, ...change })).toBe(true);
  });

  it('is refused if one is of a payment and the other of a refund', () => {
    expect(isConflict(onPayment, { ...onRefund, targetId: onPayment.targetId })).toBe(true);
  });

  it('cannot be made the same by moving text from one field to the next', () => {
    for (const between of [',succeeded,', '","succeeded","']) {
      const one = { ...onRefund, targetId: `a${between}b`, resultCode: 'c' };
      const other = { ...onRefund, targetId: 'a', resultCode: `b${between}c` };
      expect(isConflict(one, other)).toBe(true);
    }
  });
});
