import { describe, expect, it } from 'vitest';
import type { Payment } from '../../shared/domain/payment.ts';
import {
  APPROVAL_AFTER_MS,
  cancelRefund,
  REASON_CODES,
  REFUND_STATUSES,
  type RefundOrder,
  refundMachine,
  requestRefund,
} from '../../shared/domain/refund.ts';
import { aPaidPayment, aPayment, aRefund, CREATED_AT_MS } from '../support/entities.ts';
import { reachableFrom, readLife, statesAllowing, take } from '../support/life-table.ts';
import { problemOf } from '../support/thrown-problem.ts';

/** Contract §6. `reject` is the approval step of reason code 9999. */
const LIFE = readLife(`
              approve   reject    cancel    send        succeed    fail
  requested   approved  rejected  canceled  -           -          -
  approved    -         -         -         processing  -          -
  processing  -         -         -         -           succeeded  failed
  rejected    -         -         -         -           -          -
  canceled    -         -         -         -           -          -
  failed      -         -         -         -           -          -
  succeeded   -         -         -         -           -          -
`);

const DAY_MS = 24 * 60 * 60_000;
const NOW = CREATED_AT_MS + DAY_MS;

function request(payment: Payment, order: RefundOrder = {}, nowMs = NOW) {
  return requestRefund({ id: 'ref_01h455vb4pex5vsknk084sn02q', number: 'R-000001' }, payment, order, nowMs);
}

function baht(minor: number) {
  return { currency: 'THB', minor } as const;
}

describe('the life of a refund', () => {
  it('has the statuses of the interface and no others', () => {
    const statuses = 'requested approved rejected canceled processing failed succeeded'.split(' ');
    expect([...REFUND_STATUSES].toSorted()).toEqual(statuses.toSorted());
    expect(Object.keys(refundMachine).toSorted()).toEqual(statuses.toSorted());
  });

  it.each(LIFE.filter(({ to }) => to !== null))('goes from $from by $command to $to', (step) => {
    expect(take(refundMachine, step)).toBe(step.to);
  });

  it.each(LIFE.filter(({ to }) => to === null))('refuses to $command a refund that is $from', (step) => {
    const { code, more } = problemOf(() => take(refundMachine, step));
    expect(code).toBe('invalid_state');
    expect(more.details).toEqual({
      current_status: step.from,
      allowed_from: statesAllowing(LIFE, step.command),
    });
  });

  it('knows no command that is not in the table above', () => {
    const commands = new Set(Object.values(refundMachine).flatMap((steps) => Object.keys(steps)));
    expect([...commands].toSorted()).toEqual([...new Set(LIFE.map(({ command }) => command))].toSorted());
  });

  it('can reach every status', () => {
    expect([...reachableFrom(refundMachine, 'requested')].toSorted()).toEqual(
      [...REFUND_STATUSES].toSorted(),
    );
  });

  it('ends in rejected, canceled, failed and succeeded', () => {
    const { rejected, canceled, failed, succeeded } = refundMachine;
    expect([rejected, canceled, failed, succeeded]).toEqual([{}, {}, {}, {}]);
  });

  it('waits 15 minutes for its approval', () => {
    expect(APPROVAL_AFTER_MS).toBe(15 * 60_000);
  });
});

describe('requesting a refund', () => {
  it('gives back everything that is left where no amount is named', () => {
    expect(request(aPaidPayment({ refundableMinor: 7_500 })).amount).toEqual(baht(7_500));
  });

  it('gives back the amount that is named, to the last satang of what is left', () => {
    const payment = aPaidPayment({ refundableMinor: 7_500 });
    expect(request(payment, { amount: baht(1) }).amount).toEqual(baht(1));
    expect(request(payment, { amount: baht(7_500) }).amount).toEqual(baht(7_500));
  });

  it('refuses to refund more than is left, and says how much is', () => {
    const payment = aPaidPayment({ refundableMinor: 7_500 });
    const problem = problemOf(() => request(payment, { amount: baht(7_501) }));
    expect(problem).toMatchObject({ code: 'refund_amount_exceeded', status: 422 });
    expect(problem.more.details).toEqual({ refundable_minor: 7_500 });
  });

  it('refuses to refund more than was paid', () => {
    expect(problemOf(() => request(aPaidPayment(), { amount: baht(10_001) })).more.details).toEqual({
      refundable_minor: 10_000,
    });
  });

  it.each([{}, { amount: baht(1) }])('refuses a payment of which nothing is left: %j', (order) => {
    const problem = problemOf(() => request(aPaidPayment({ refundableMinor: 0 }), order));
    expect(problem.code).toBe('refund_amount_exceeded');
    expect(problem.more.details).toEqual({ refundable_minor: 0 });
  });

  it.each(['created', 'requires_action', 'processing', 'failed', 'expired', 'canceled'] as const)(
    'refuses a payment that is %s',
    (status) => {
      const problem = problemOf(() => request(aPayment({ status })));
      expect(problem).toMatchObject({ code: 'invalid_state', status: 409 });
      expect(problem.more.details).toEqual({ current_status: status, allowed_from: ['succeeded'] });
    },
  );

  it('is possible to the end of the 180th day and refused after it', () => {
    const paidAtMs = CREATED_AT_MS + 60_000;
    const payment = aPaidPayment({ succeededAtMs: paidAtMs });
    expect(request(payment, {}, paidAtMs + 180 * DAY_MS).status).toBe('requested');
    expect(problemOf(() => request(payment, {}, paidAtMs + 180 * DAY_MS + 1))).toMatchObject({
      code: 'refund_window_closed',
      status: 422,
    });
  });

  it('begins as requested by the customer, without a reason, now', () => {
    expect(request(aPaidPayment())).toEqual({
      id: 'ref_01h455vb4pex5vsknk084sn02q',
      number: 'R-000001',
      version: 1,
      paymentId: aPaidPayment().id,
      status: 'requested',
      amount: baht(10_000),
      reason: null,
      reasonCode: 1,
      createdAtMs: NOW,
      updatedAtMs: NOW,
      succeededAtMs: null,
    });
  });

  it('keeps the reason that was given', () => {
    const order = { reason: 'broken', reason_code: 5 };
    expect(request(aPaidPayment(), order)).toMatchObject({ reason: 'broken', reasonCode: 5 });
  });

  it('knows six reasons, and one that is for tests', () => {
    expect(REASON_CODES).toEqual([1, 2, 3, 4, 5, 6, 9999]);
  });
});

describe('canceling a refund', () => {
  it('withdraws one that is not approved yet', () => {
    expect(cancelRefund(aRefund(), NOW)).toEqual(
      aRefund({ status: 'canceled', version: 2, updatedAtMs: NOW }),
    );
  });

  it('is refused for the same refund a second time', () => {
    const canceled = cancelRefund(aRefund(), NOW);
    expect(problemOf(() => cancelRefund(canceled, NOW)).more.details).toEqual({
      current_status: 'canceled',
      allowed_from: ['requested'],
    });
  });

  it('never lets the time of a refund run backwards', () => {
    expect(cancelRefund(aRefund({ updatedAtMs: NOW }), NOW - 1).updatedAtMs).toBe(NOW);
  });
});
