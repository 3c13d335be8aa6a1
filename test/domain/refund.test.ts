import { describe, expect, it } from 'vitest';
import type { Payment } from '../../shared/domain/payment.ts';
import {
  APPROVAL_AFTER_MS,
  applyRefundOutcome,
  cancelRefund,
  REASON_CODES,
  REFUND_OUTCOMES,
  REFUND_STATUSES,
  REFUND_WINDOW_MS,
  type Refund,
  type RefundInput,
  refundMachine,
  requestRefund,
  SENT_REFUND_STATUSES,
  sendRefund,
  whenRefundIsDue,
} from '../../shared/domain/refund.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { reachableFrom, readLife, statesAllowing, take } from '../support/tools/life-table.ts';
import { aPaidPayment, aPayment, aRefund, became, CREATED_AT_MS } from '../support/world/entities.ts';

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

function request(payment: Payment, order: RefundInput = {}, nowMs = NOW) {
  const identity = { id: 'ref_01h455vb4pex5vsknk084sn02q', number: 'R-000001' };
  return afterOf(requestRefund(identity, payment, order, nowMs));
}

const decide = (refund: Refund) => whenRefundIsDue(refund, { kind: 'approve-refund', dueAtMs: NOW });

function baht(minor: number) {
  return { currency: 'THB', minor } as const;
}

describe('the life of a refund', () => {
  it('has seven statuses and no others', () => {
    const statuses = 'requested approved rejected canceled processing failed succeeded'.split(' ');
    expect([...REFUND_STATUSES].toSorted()).toEqual(statuses.toSorted());
    expect(Object.keys(refundMachine).toSorted()).toEqual(statuses.toSorted());
  });

  it.each(LIFE.filter(({ to }) => to !== null))('goes from $from by $command to $to', (step) => {
    expect(take(refundMachine, step)).toBe(step.to);
  });

  it.each(LIFE.filter(({ to }) => to === null))('refuses to $command a refund that is $from', (step) => {
    const { code, details } = problemOf(() => take(refundMachine, step));
    expect(code).toBe('invalid_state');
    expect(details).toEqual({
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

  it('has the final states rejected, canceled, failed and succeeded', () => {
    const { rejected, canceled, failed, succeeded } = refundMachine;
    expect([rejected, canceled, failed, succeeded]).toEqual([{}, {}, {}, {}]);
  });

  it('waits 15 minutes for its approval', () => {
    expect(APPROVAL_AFTER_MS).toBe(15 * 60_000);
  });
});

describe('requesting a refund', () => {
  it('refunds everything that is left if no amount is named', () => {
    expect(request(aPaidPayment({ refundableMinor: 7_500 })).amount).toEqual(baht(7_500));
  });

  it('refunds the named amount, to the last satang of what is left', () => {
    const payment = aPaidPayment({ refundableMinor: 7_500 });
    expect(request(payment, { amount: baht(1) }).amount).toEqual(baht(1));
    expect(request(payment, { amount: baht(7_500) }).amount).toEqual(baht(7_500));
  });

  it('refuses to refund more than is left, and says how much is', () => {
    const payment = aPaidPayment({ refundableMinor: 7_500 });
    const problem = problemOf(() => request(payment, { amount: baht(7_501) }));
    expect(problem).toMatchObject({ code: 'refund_amount_exceeded', status: 422 });
    expect(problem.details).toEqual({ refundable_minor: 7_500 });
  });

  it('refuses to refund more than was paid', () => {
    expect(problemOf(() => request(aPaidPayment(), { amount: baht(10_001) })).details).toEqual({
      refundable_minor: 10_000,
    });
  });

  it.each([{}, { amount: baht(1) }])('refuses a payment of which nothing is left: %j', (order) => {
    const problem = problemOf(() => request(aPaidPayment({ refundableMinor: 0 }), order));
    expect(problem.code).toBe('refund_amount_exceeded');
    expect(problem.details).toEqual({ refundable_minor: 0 });
  });

  it.each(['created', 'requires_action', 'processing', 'failed', 'expired', 'canceled'] as const)(
    'refuses a payment that is %s',
    (status) => {
      const problem = problemOf(() => request(aPayment({ status })));
      expect(problem).toMatchObject({ code: 'invalid_state', status: 409 });
      expect(problem.detail).toBe(`It is ${status}. Refund works from succeeded.`);
      expect(problem.details).toEqual({ current_status: status, allowed_from: ['succeeded'] });
    },
  );

  it('refuses a payment whose status and time of success do not agree', () => {
    for (const odd of [{ status: 'processing' }, { succeededAtMs: null }] as const) {
      expect(problemOf(() => request(aPaidPayment(odd))).code).toBe('invalid_state');
    }
  });

  it('is possible to the end of the 180th day and refused after it', () => {
    const paidAtMs = CREATED_AT_MS + 60_000;
    const payment = aPaidPayment({ succeededAtMs: paidAtMs });
    expect(request(payment, {}, paidAtMs + 180 * DAY_MS).status).toBe('requested');
    expect(problemOf(() => request(payment, {}, paidAtMs + 180 * DAY_MS + 1))).toMatchObject({
      code: 'refund_window_closed',
      status: 422,
      details: { closed_at: new Date(paidAtMs + REFUND_WINDOW_MS).toISOString() },
    });
  });

  it('starts as requested by the customer, without a reason, now', () => {
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
      statusHistory: [{ status: 'requested', atMs: NOW }],
    });
  });

  it('has an event', () => {
    const change = requestRefund({ id: 'ref_x', number: 'R-000001' }, aPaidPayment(), {}, NOW);
    expect(change).toMatchObject({ resource: 'refund', before: null });
    expect(change.steps).toMatchObject([
      { event: 'refund.requested', previousStatus: null, after: { id: 'ref_x' } },
    ]);
  });

  it('holds what is left as all that is left, if no amount is named', () => {
    const hold = { kind: 'hold', paymentId: aPaidPayment().id, amount: baht(10_000) };
    const holdOf = (order: RefundInput) => {
      const identity = { id: 'ref_x', number: 'R-000001' };
      return requestRefund(identity, aPaidPayment(), order, NOW).consequences;
    };
    const [all, job] = holdOf({});
    expect(all).toStrictEqual({ ...hold, isAll: true });
    expect(job).toMatchObject({ kind: 'job' });
    expect(job).not.toHaveProperty('isAll');
    expect(holdOf({ amount: baht(10_000) })[0]).toStrictEqual(hold);
  });

  it('keeps the reason that was given', () => {
    const order = { reason: 'broken', reasonCode: 5 };
    expect(request(aPaidPayment(), order)).toMatchObject({ reason: 'broken', reasonCode: 5 });
  });

  it('knows six reasons, and one that is for tests', () => {
    expect(REASON_CODES).toEqual([1, 2, 3, 4, 5, 6, 9999]);
  });
});

describe('canceling a refund', () => {
  it('withdraws one that is not approved yet, with an event', () => {
    const after = became(aRefund(), 'canceled', NOW);
    expect(cancelRefund(aRefund(), NOW).steps).toEqual([
      { event: 'refund.canceled', previousStatus: 'requested', after },
    ]);
  });

  it('is refused for the same refund a second time', () => {
    const canceled = afterOf(cancelRefund(aRefund(), NOW));
    expect(problemOf(() => cancelRefund(canceled, NOW)).details).toEqual({
      current_status: 'canceled',
      allowed_from: ['requested'],
    });
  });

  it('never lets the time of a refund run backwards', () => {
    expect(afterOf(cancelRefund(aRefund({ updatedAtMs: NOW }), NOW - 1)).updatedAtMs).toBe(NOW);
  });
});

describe('the approval step', () => {
  it.each(REASON_CODES.filter((code) => code !== 9999))(
    'approves a refund with reason code %i',
    (reasonCode) => {
      const after = became(aRefund({ reasonCode }), 'approved', NOW);
      expect(decide(aRefund({ reasonCode }))[0]?.steps).toEqual([
        { event: 'refund.approved', previousStatus: 'requested', after },
      ]);
    },
  );

  it('rejects a refund with reason code 9999', () => {
    const after = became(aRefund({ reasonCode: 9999 }), 'rejected', NOW);
    expect(decide(aRefund({ reasonCode: 9999 }))[0]?.steps).toEqual([
      { event: 'refund.rejected', previousStatus: 'requested', after },
    ]);
  });

  it.each(REFUND_STATUSES.filter((status) => status !== 'requested'))(
    'decides nothing about a refund that is %s',
    (status) => {
      for (const reasonCode of [1, 9999]) {
        expect(decide(aRefund({ status, reasonCode }))).toEqual([]);
      }
    },
  );
});

describe('handing a refund to the provider', () => {
  it('is a step of an approved one, with its event', () => {
    const refund = aRefund({ status: 'approved', version: 2 });
    const after = became(refund, 'processing', NOW);
    expect(sendRefund(refund, NOW).steps).toEqual([
      { event: 'refund.processing', previousStatus: 'approved', after },
    ]);
  });

  it('keeps the reference that the provider gave it, by which it is looked up', () => {
    const refund = aRefund({ status: 'approved' });
    const sent = sendRefund(refund, NOW, 're_1');
    expect(afterOf(sent).providerReference).toBe('re_1');
    const job = { kind: 'look-up-refund', dueAtMs: NOW + 60_000, refundId: refund.id };
    expect(sent.consequences).toContainEqual({ kind: 'job', job });
    expect(afterOf(sendRefund(refund, NOW))).not.toHaveProperty('providerReference');
    const ended = applyRefundOutcome(refund, 'succeeded', NOW, { reference: 're_2' });
    expect(ended.steps.map(({ after }) => after.providerReference)).toEqual(['re_2', 're_2']);
  });

  it('is due a minute after its approval, and once', () => {
    const due = { kind: 'send-refund', dueAtMs: NOW } as const;
    const refund = aRefund({ status: 'approved' });
    expect(whenRefundIsDue(refund, due)).toEqual([sendRefund(refund, NOW)]);
    for (const status of REFUND_STATUSES.filter((one) => one !== 'approved')) {
      expect(whenRefundIsDue(aRefund({ status }), due)).toEqual([]);
    }
    expect(decide(refund)).toEqual([]);
  });

  it('leaves it waiting for an outcome while it is processing', () => {
    expect([...SENT_REFUND_STATUSES]).toEqual(['processing']);
  });

  it.each(REFUND_STATUSES.filter((status) => status !== 'approved'))(
    'is refused for one that is %s',
    (status) => {
      expect(problemOf(() => sendRefund(aRefund({ status }), NOW)).details).toEqual({
        current_status: status,
        allowed_from: ['approved'],
      });
    },
  );
});

/** Contract §9: the events up to an outcome, by the status of a refund. */
const WAYS = [
  ['requested', 'succeeded', 'approved processing succeeded'],
  ['requested', 'failed', 'approved processing failed'],
  ['approved', 'succeeded', 'processing succeeded'],
  ['approved', 'failed', 'processing failed'],
  ['processing', 'succeeded', 'succeeded'],
  ['processing', 'failed', 'failed'],
] as const;
const FINAL = ['rejected', 'canceled', 'failed', 'succeeded'] as const;

describe("a provider's outcome of a refund", () => {
  it('is succeeded or failed', () => {
    expect(REFUND_OUTCOMES.toSorted()).toEqual(['failed', 'succeeded']);
  });

  it.each(WAYS)('moves one that is %s by %s through: %s', (status, outcome, way) => {
    const refund = Object.freeze(aRefund({ status, version: 3 }));
    const passed = way.split(' ');
    expect(applyRefundOutcome(refund, outcome, NOW).steps).toEqual(
      passed.map((to, index) => ({
        event: `refund.${to}`,
        previousStatus: passed[index - 1] ?? status,
        after: {
          ...refund,
          status: to,
          version: 4 + index,
          updatedAtMs: NOW,
          succeededAtMs: to === 'succeeded' ? NOW : null,
          statusHistory: [
            ...refund.statusHistory,
            ...passed.slice(0, index + 1).map((passedTo) => ({ status: passedTo, atMs: NOW })),
          ],
        },
      })),
    );
  });

  it.each(REFUND_OUTCOMES)(
    'as %s cannot override approval with reason code 9999: the refund is only rejected',
    (outcome) => {
      const refund = aRefund({ reasonCode: 9999 });
      expect([applyRefundOutcome(refund, outcome, NOW)]).toEqual(decide(refund));
    },
  );

  it.each(['approved', 'processing'] as const)(
    'applies to one that is %s, whatever its reason code: it has passed approval',
    (status) => {
      const refund = aRefund({ reasonCode: 9999, status });
      expect(afterOf(applyRefundOutcome(refund, 'succeeded', NOW)).status).toBe('succeeded');
    },
  );

  it.each(FINAL)('is refused for one that is %s', (status) => {
    for (const outcome of REFUND_OUTCOMES) {
      const problem = problemOf(() => applyRefundOutcome(aRefund({ status }), outcome, NOW));
      expect(problem).toMatchObject({ code: 'invalid_state', status: 409 });
      expect(problem.details).toMatchObject({ current_status: status });
    }
  });

  it('records the code of a failure', () => {
    const report = { resultCode: 'account_closed' };
    expect(afterOf(applyRefundOutcome(aRefund(), 'failed', NOW, report)).failureCode).toBe('account_closed');
    expect(afterOf(applyRefundOutcome(aRefund(), 'succeeded', NOW, report)).failureCode).toBeUndefined();
    expect(afterOf(applyRefundOutcome(aRefund(), 'failed', NOW))).not.toHaveProperty('failureCode');
  });

  it('never lets the time of a refund run backwards', () => {
    const refund = aRefund({ status: 'approved', updatedAtMs: NOW });
    expect(afterOf(applyRefundOutcome(refund, 'succeeded', NOW - 1))).toMatchObject({
      updatedAtMs: NOW,
      succeededAtMs: NOW,
    });
  });
});
