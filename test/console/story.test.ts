import { describe, expect, it } from 'vitest';
import { ahead, gapText, past, possibleNow, type StoryReads, secondsTo } from '../../shared/console/story.ts';
import { allowedFrom } from '../../shared/domain/machine.ts';
import { PAYMENT_STATUSES, paymentMachine } from '../../shared/domain/payment.ts';
import {
  APPROVAL_AFTER_MS,
  REFUND_STATUSES,
  refundMachine,
  SEND_AFTER_MS,
} from '../../shared/domain/refund.ts';

const THB = (minor: number) => ({ currency: 'THB', minor });
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 2, 3, minutes)).toISOString();

const PAYMENT = {
  id: 'pay_1',
  number: 'P-000001',
  status: 'succeeded',
  amount: THB(129_900),
  refunded_minor: 0,
  created_at: at(0),
  expires_at: at(15),
  failure_code: null,
  received: null,
  late: false,
  status_history: [
    { status: 'created', at: at(0) },
    { status: 'requires_action', at: at(0) },
    { status: 'succeeded', at: at(4) },
  ],
};
const REFUND = {
  id: 'ref_1',
  number: 'R-000001',
  status: 'requested',
  amount: THB(100),
  created_at: at(10),
  failure_code: null,
  status_history: [{ status: 'requested', at: at(10) }],
};
const eventOf = (
  resource: { id: string },
  type: string,
  sequence: number,
  minutes: number,
  request = 'req_1',
) => ({
  id: `evt_${sequence}`,
  type,
  sequence,
  timestamp: at(minutes),
  data: { object: resource },
  request: { id: request, idempotency_key: null },
});
const attemptOf = (event: string, attempt: number, changes = {}) => ({
  id: `dlv_${event}_${attempt}`,
  event_id: event,
  endpoint_id: 'whe_1',
  sink_id: null,
  attempt,
  status: 'delivered',
  body: '{"type":"payment.succeeded"}',
  next_attempt_at: null,
  ...changes,
});

function readsOf(changes: Partial<StoryReads> = {}): StoryReads {
  return {
    resource: PAYMENT,
    refunds: [],
    events: [],
    deliveries: [],
    requests: [],
    settlement: null,
    payout: null,
    ...changes,
  };
}

describe('what has happened', () => {
  it('is each status with its event, its request and every attempt, oldest first', () => {
    const entries = past(
      readsOf({
        refunds: [REFUND],
        events: [
          eventOf(REFUND, 'refund.requested', 4, 10, 'req_2'),
          eventOf(PAYMENT, 'payment.succeeded', 3, 4),
          eventOf(PAYMENT, 'payment.requires_action', 2, 0),
          eventOf(PAYMENT, 'payment.created', 1, 0),
        ],
        deliveries: [attemptOf('evt_3', 2), attemptOf('evt_3', 1, { status: 'failed' })],
        requests: [{ id: 'req_2', method: 'POST', path: '/api/v1/payments/pay_1/refunds', status: 201 }],
        settlement: { id: 'stl_1', status: 'matched', expected: THB(5), stated: THB(5), created_at: at(60) },
        payout: { id: 'pot_1', status: 'paid', amount: THB(5), updated_at: at(90) },
      }),
    );
    expect(entries.map(({ title, event }) => [title, event?.id])).toEqual([
      ['Payment created', 'evt_1'],
      ['Payment requires action', 'evt_2'],
      ['Payment succeeded', 'evt_3'],
      ['Refund requested', 'evt_4'],
      ['Settlement matched', undefined],
      ['Payout paid', undefined],
    ]);
    expect(entries[2]?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(entries[3]?.request).toMatchObject({ id: 'req_2' });
    expect(entries[2]?.request).toBeNull();
  });

  it('is known of seeded payments, which have no events', () => {
    expect(past(readsOf()).map(({ title }) => title)).toEqual([
      'Payment created',
      'Payment requires action',
      'Payment succeeded',
    ]);
  });

  it('says what came instead of the amount, where the provider reports another one', () => {
    const payment = {
      ...PAYMENT,
      status: 'processing',
      received: THB(129_901),
      status_history: [...PAYMENT.status_history.slice(0, 2), { status: 'processing', at: at(4) }],
    };
    const [, , last, ...more] = past(
      readsOf({ resource: payment, events: [eventOf(payment, 'payment.amount_mismatch', 3, 4)] }),
    );
    expect(last).toMatchObject({
      title: 'Payment amount mismatch',
      note: '฿1,299.01 came instead of ฿1,299.00',
    });
    expect(more).toEqual([]);
  });

  it('is what the events say of a link, which has no history of its own', () => {
    const link = { id: 'lnk_1', status: 'disabled', created_at: at(0) };
    const events = [
      eventOf(link, 'payment_link.disabled', 2, 5),
      eventOf(link, 'payment_link.created', 1, 0),
    ];
    expect(past(readsOf({ resource: link, events })).map(({ title }) => title)).toEqual([
      'Payment link created',
      'Payment link disabled',
    ]);
    expect(past(readsOf({ resource: link })).map(({ title }) => title)).toEqual(['Payment link disabled']);
  });

  it('has its gaps in words', () => {
    expect(gapText(at(0), at(4))).toBe('4 min later');
    expect(gapText(at(0), new Date(Date.parse(at(0)) + 5_000).toISOString())).toBe('5 s later');
    expect(gapText(at(0), at(0))).toBeNull();
  });
});

describe('what lies ahead', () => {
  const now = new Date(at(1));

  it('is the expiry of an unpaid payment, and of no other', () => {
    const open = { ...PAYMENT, status: 'requires_action' };
    expect(ahead(readsOf({ resource: open }), now)).toEqual([{ at: at(15), title: 'Payment expires' }]);
    expect(ahead(readsOf({ resource: open }), new Date(at(16)))).toEqual([]);
    expect(ahead(readsOf(), now)).toEqual([]);
  });

  it('is the next attempt of a delivery, unless it was made', () => {
    const failed = attemptOf('evt_3', 1, { status: 'failed', next_attempt_at: at(5) });
    expect(ahead(readsOf({ deliveries: [failed] }), now)).toEqual([
      { at: at(5), title: 'Attempt 2 to deliver payment.succeeded' },
    ]);
    expect(ahead(readsOf({ deliveries: [attemptOf('evt_3', 2), failed] }), now)).toEqual([]);
  });

  it('is the approval of a refund and its sending, when the domain has them due', () => {
    const dueAfter = (status: string) =>
      ahead(readsOf({ refunds: [{ ...REFUND, status }] }), now).map(
        (entry) => Date.parse(entry.at) - Date.parse(at(10)),
      );
    expect(dueAfter('requested')).toEqual([APPROVAL_AFTER_MS]);
    expect(dueAfter('approved')).toEqual([SEND_AFTER_MS]);
    expect(dueAfter('processing')).toEqual([]);
  });

  it('is reached by a move of the clock by as many seconds', () => {
    expect(secondsTo(at(15), now)).toBe(14 * 60 + 1);
    expect(secondsTo(at(0), now)).toBe(1);
  });
});

describe('what is possible now', () => {
  const now = new Date(at(1));
  const offers = (resource: object, operationId: string, outcome?: string) =>
    possibleNow(resource, now).some(
      (action) =>
        action.operationId === operationId && (outcome === undefined || action.body.outcome === outcome),
    );
  const statusesWith = (id: string, statuses: readonly string[], operationId: string, outcome?: string) =>
    statuses.filter((status) => offers({ ...PAYMENT, id, status }, operationId, outcome));

  it.each([
    ['succeeded', 'succeed'],
    ['failed', 'fail'],
    ['pending', 'hold'],
    ['mismatch', 'mismatch'],
  ] as const)('with a payment is the outcome %s where its machine allows it', (outcome, command) => {
    expect(statusesWith('pay_1', PAYMENT_STATUSES, 'testkit_SimulatePayment', outcome)).toEqual(
      allowedFrom(paymentMachine, command),
    );
  });

  it('is to cancel where the machines allow it', () => {
    expect(statusesWith('pay_1', PAYMENT_STATUSES, 'payments_CancelPayment')).toEqual(
      allowedFrom(paymentMachine, 'cancel'),
    );
    expect(statusesWith('ref_1', REFUND_STATUSES, 'payments_CancelRefund')).toEqual(
      allowedFrom(refundMachine, 'cancel'),
    );
  });

  it('is to refund what was paid and is not refunded yet', () => {
    expect(statusesWith('pay_1', PAYMENT_STATUSES, 'payments_RequestRefund')).toEqual(['succeeded']);
    expect(offers({ ...PAYMENT, refunded_minor: 129_900 }, 'payments_RequestRefund')).toBe(false);
  });

  it('is to pay late once the payment expires, by the clock', () => {
    const late = possibleNow({ ...PAYMENT, status: 'created' }, now).find(
      ({ label }) => label === 'Pay late',
    );
    expect(late?.body).toEqual({ outcome: 'succeeded', delay_seconds: 14 * 60 + 1 });
  });
});
