import { describe, expect, it } from 'vitest';
import {
  applyPaymentOutcome,
  cancelPayment,
  createPayment,
  requireAction,
} from '../../../shared/domain/payment.ts';
import { createPaymentLink } from '../../../shared/domain/payment-link.ts';
import { applyRefundOutcome, cancelRefund, requestRefund } from '../../../shared/domain/refund.ts';
import type { PaymentId } from '../../../shared/domain/request-start.ts';
import { afterOf } from '../../../shared/domain/resource-change.ts';
import { SimulatedHistory } from '../../../shared/domain/testkit/simulated-history.ts';
import { aPaymentLink, CREATED_AT_MS } from '../../support/world/entities.ts';

const MINUTE_MS = 60_000;
const [PAYMENT, REFUND, LINK] = ['pay_1', 'ref_1', aPaymentLink().id];
const at = (minutes: number) => CREATED_AT_MS + minutes * MINUTE_MS;

function create(id = PAYMENT, expiresInMinutes = 15) {
  const identity = {
    id: id as PaymentId,
    number: 'P-000001',
    pageSecret: 's',
    pageUrl: 'https://pay.example/p',
  };
  const link = { id: LINK, code: 'abc' };
  const amount = { currency: 'THB', minor: 10_000 } as const;
  return createPayment({ ...identity, link }, { amount, expiresInMinutes }, at(0));
}

/** A link, and a payment from it. */
function begun(): SimulatedHistory {
  const past = new SimulatedHistory();
  const order = { amount: { type: 'open' } } as const;
  past.fold([
    createPaymentLink({ id: LINK, number: 'L-000001', code: 'abc', url: 'u' }, order, at(0)),
    create(),
  ]);
  return past;
}

/** The history of a paid payment with a refund of a quarter of it, requested three minutes later. */
function refunding(): SimulatedHistory {
  const past = begun();
  past.fold([applyPaymentOutcome(past.entity('payment', PAYMENT), 'succeeded', at(1))]);
  const order = { amount: { currency: 'THB', minor: 2_500 } } as const;
  const identity = { id: REFUND, number: 'R-000001' };
  past.fold([requestRefund(identity, past.entity('payment', PAYMENT), order, at(4))]);
  return past;
}

const booksIn = (past: SimulatedHistory) => {
  const { refundableMinor, refundedMinor } = past.entity('payment', PAYMENT);
  return { refundableMinor, refundedMinor };
};

describe('a simulated history', () => {
  it('holds the latest state of each resource', () => {
    const past = begun();
    expect(past.entity('payment', PAYMENT)).toEqual(afterOf(create()));
    const paid = applyPaymentOutcome(past.entity('payment', PAYMENT), 'succeeded', at(1));
    past.fold([paid]);
    expect(past.made.payment).toEqual([afterOf(paid)]);
  });

  it('counts the uses of a link, and the money of a day', () => {
    const past = begun();
    expect(past.entity('paymentLink', LINK)).toMatchObject({ uses: 0, takenUses: 1, version: 2 });
    past.fold([applyPaymentOutcome(past.entity('payment', PAYMENT), 'succeeded', at(1))]);
    expect(past.entity('paymentLink', LINK)).toMatchObject({ uses: 1, takenUses: 1, version: 3 });
    expect(past.balances).toEqual([{ day: '2026-11-02', shard: 0, paidMinor: 10_000n, refundedMinor: 0n }]);
  });

  it("keeps a payment's books: a requested refund is held, then released or paid back", () => {
    const past = refunding();
    expect(booksIn(past)).toEqual({ refundableMinor: 7_500, refundedMinor: 0 });
    past.fold([cancelRefund(past.entity('refund', REFUND), at(5))]);
    expect(booksIn(past)).toEqual({ refundableMinor: 10_000, refundedMinor: 0 });

    const other = refunding();
    other.fold([applyRefundOutcome(other.entity('refund', REFUND), 'succeeded', at(5))]);
    expect(booksIn(other)).toEqual({ refundableMinor: 7_500, refundedMinor: 2_500 });
    expect(other.balances).toMatchObject([{ day: '2026-11-02', paidMinor: 10_000n, refundedMinor: 2_500n }]);
  });

  it('runs what is due by an instant, what follows from it, and nothing later', () => {
    const past = refunding();
    past.fold([create('pay_late', 30), create('pay_early', 10)]);
    past.runUntil(at(19) - 1);
    expect(past.entity('refund', REFUND).status).toBe('requested');
    expect(past.entity('payment', 'pay_early')).toMatchObject({ status: 'expired', updatedAtMs: at(10) });
    past.runUntil(at(60));
    expect(past.entity('refund', REFUND)).toMatchObject({ status: 'processing', updatedAtMs: at(20) });
    expect(past.entity('payment', 'pay_late')).toMatchObject({ status: 'expired', updatedAtMs: at(30) });
    expect(past.entity('paymentLink', LINK)).toMatchObject({ uses: 1, takenUses: 1 });
  });

  it('runs the earlier of two jobs first, for any order of insertion', () => {
    const past = refunding();
    past.fold([{ kind: 'job', job: { kind: 'approve-refund', dueAtMs: at(10), refundId: REFUND } }]);
    past.runUntil(at(60));
    expect(past.entity('refund', REFUND)).toMatchObject({ status: 'processing', updatedAtMs: at(11) });
  });

  it('has a job for what is still to happen, and none for what is over', () => {
    const past = refunding();
    const approval = { kind: 'approve-refund', dueAtMs: at(19), refundId: REFUND };
    expect(past.jobs).toEqual([approval]);
    past.fold([create('pay_2')]);
    expect(past.jobs).toEqual([approval, { kind: 'expire-payment', dueAtMs: at(15), paymentId: 'pay_2' }]);
    past.fold([cancelPayment(past.entity('payment', 'pay_2'), at(5))]);
    expect(past.jobs).toEqual([approval]);
    past.fold([cancelRefund(past.entity('refund', REFUND), at(6))]);
    expect(past.jobs).toEqual([]);
  });

  it('has one expiry job, at the new end of a payment whose method gave it more time', () => {
    const past = begun();
    const [attemptId, url] = ['att_1', 'https://pay.example/p'];
    const nextAction = { type: 'redirect', url } as const;
    const attempt = { id: attemptId, method: 'truemoney', nextAction, createdAtMs: at(10) } as const;
    past.fold([requireAction(past.entity('payment', PAYMENT), attempt, at(10))]);
    expect(past.jobs).toEqual([{ kind: 'expire-payment', dueAtMs: at(30), paymentId: PAYMENT }]);
    past.runUntil(at(30) - 1);
    expect(past.entity('payment', PAYMENT).status).toBe('requires_action');
    past.runUntil(at(30));
    expect(past.entity('payment', PAYMENT).status).toBe('expired');
  });
});
