import { describe, expect, it } from 'vitest';
import type { EventView } from '../../shared/contract/events.ts';
import type { PaymentView } from '../../shared/contract/payments.ts';
import type { RefundView } from '../../shared/contract/refunds.ts';
import type { SettlementView } from '../../shared/contract/settlements.ts';
import {
  DELAY_SECONDS_MAX,
  PAYMENT_STATUSES,
  type PaymentStatus,
  paymentMachine,
} from '../../shared/domain/payment.ts';
import {
  APPROVAL_AFTER_MS,
  REFUND_OUTCOMES,
  REFUND_STATUSES,
  REFUND_WINDOW_MS,
  refundMachine,
  SEND_AFTER_MS,
} from '../../shared/domain/refund.ts';
import type { EventType } from '../../shared/domain/resource.ts';
import { textsOf } from '../../shared/pages/texts.ts';
import { statusText } from '../../shared/story/status-words.ts';
import {
  ahead,
  canRedeliver,
  concerns,
  type EventAttempt,
  gapText,
  past,
  possibleNow,
  RESULT_CODES,
  type StoryReads,
  type StoryResource,
  secondsTo,
  settlementOf,
} from '../../shared/story/story.ts';
import { VIEWS } from '../support/tools/views.ts';

const THB = (minor: number) => ({ currency: 'THB', minor });
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 2, 3, minutes)).toISOString();

const PAYMENT = {
  ...VIEWS.payment,
  id: 'pay_1',
  status: 'succeeded' as PaymentStatus,
  amount: THB(129_900),
  created_at: at(0),
  expires_at: at(15),
  succeeded_at: at(4),
  status_history: [
    { status: 'created', at: at(0) },
    { status: 'requires_action', at: at(0) },
    { status: 'succeeded', at: at(4) },
  ] as PaymentView['status_history'],
};
const REFUND: RefundView = {
  ...VIEWS.refund,
  id: 'ref_1',
  amount: THB(100),
  created_at: at(10),
  status_history: [{ status: 'requested', at: at(10) }],
};
const LINK = { ...VIEWS.paymentLink, id: 'lnk_1' };
const eventOf = (
  object: StoryResource,
  type: EventType,
  sequence: number,
  minutes: number,
  request = 'req_1',
) =>
  ({
    ...{
      id: `evt_${sequence}`,
      type,
      sequence,
      timestamp: at(minutes),
      mode: 'test',
      api_version: '2026-11-01',
    },
    data: { object, previous_status: null },
    request: { id: request, idempotency_key: null },
  }) as EventView;
const attemptOf = (event: string, attempt: number, changes: Partial<EventAttempt> = {}): EventAttempt => ({
  id: `dlv_${event}_${attempt}`,
  event_id: event,
  endpoint_id: 'whe_1',
  sink_id: null,
  attempt,
  status: 'delivered',
  body: '{"type":"payment.succeeded"}',
  ...{ request_headers: {}, answered_status: 204, answered_body: null, failure: null, duration_ms: 5 },
  attempted_at: at(4),
  next_attempt_at: null,
  ...changes,
});

const settlementAt = (minutes: number, value_date = '2026-11-02'): SettlementView => ({
  ...VIEWS.settlement,
  ...{ id: 'stl_1', created_at: at(minutes), value_date },
});

const REQUEST: StoryReads['requests'][number] = {
  ...{ id: 'req_2', at: at(10), method: 'POST', path: '/api/v1/payments/pay_1/refunds', status: 201 },
  ...{ operation: 'payments.RequestRefund', code: null, duration_ms: 9, key_id: 'key_1', replayed: false },
  ...{ idempotency_key: null, trace_id: null, request_body: null, response_body: null },
};

function readsOf(changes: Partial<StoryReads> = {}): StoryReads {
  return {
    resource: PAYMENT,
    refunds: [],
    events: [],
    deliveries: [],
    requests: [],
    endpoints: null,
    settlements: [],
    payouts: [],
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
        requests: [REQUEST],
      }),
    );
    expect(entries.map(({ title, event }) => [title, event?.id])).toEqual([
      ['Payment created', 'evt_1'],
      ['Waiting for the payer', 'evt_2'],
      ['Paid', 'evt_3'],
      ['Refund requested', 'evt_4'],
    ]);
    expect(entries[2]?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(entries[3]).toMatchObject({ request: { id: 'req_2' }, note: '฿1.00, R-000001' });
    expect(entries[2]?.request).toBeNull();
  });

  it('ends with the settlements that took the payment and its refunds, and their payouts', () => {
    const refund = { ...REFUND, status: 'succeeded', succeeded_at: at(70) } as const;
    const payouts = [
      {
        ...VIEWS.payout,
        ...{ id: 'pot_1', amount: THB(129_900), created_at: at(60), updated_at: at(90) },
        status: 'paid' as const,
      },
      {
        ...VIEWS.payout,
        ...{ id: 'pot_2', amount: THB(9), created_at: at(80), updated_at: at(99) },
        status: 'returned' as const,
        return_reason: 'account_closed',
      },
    ];
    const settlements = [
      { ...settlementAt(80), id: 'stl_2', payout_id: 'pot_2', expected: THB(9) },
      { ...settlementAt(60), payout_id: 'pot_1', expected: THB(129_900) },
    ];
    const entries = past(readsOf({ refunds: [refund], settlements, payouts }));
    expect(entries.slice(4).map(({ title, id, note }) => [title, id, note])).toEqual([
      ['Settlement matched', 'stl_1', 'P-000001 in it, ฿1,299.00 in all'],
      ['On its way to your bank', 'pot_1', '฿1,299.00'],
      ['Settlement matched', 'stl_2', 'R-000001 in it, ฿0.09 in all'],
      ['On its way to your bank', 'pot_2', '฿0.09'],
      ['Paid out', 'pot_1', null],
      ['Payout returned', 'pot_2', 'Return reason account_closed'],
    ]);
  });

  it('tells a payout once that pays out the settlement of a payment and that of its refund', () => {
    const refund = { ...REFUND, status: 'succeeded', succeeded_at: at(70) } as const;
    const payout = { ...VIEWS.payout, id: 'pot_1', status: 'pending', created_at: at(80) } as const;
    const settlements = [
      { ...settlementAt(80), id: 'stl_2', payout_id: 'pot_1' },
      { ...settlementAt(60), payout_id: 'pot_1' },
    ];
    const entries = past(readsOf({ refunds: [refund], settlements, payouts: [payout] }));
    expect(entries.slice(4).map(({ id }) => id)).toEqual(['stl_1', 'stl_2', 'pot_1']);
  });

  it('says what had ended a payment whose money came late', () => {
    const late = (ended: 'expired' | 'canceled') => ({
      ...PAYMENT,
      late: true,
      status_history: [{ status: ended, at: at(1) }, ...PAYMENT.status_history.slice(2)],
    });
    const told = (['expired', 'canceled'] as const).map((ended) => {
      const entry = past(readsOf({ resource: late(ended) }))[1];
      return [entry?.title, entry?.note];
    });
    expect(told).toEqual([
      ['Paid late', 'The money came after the expiry'],
      ['Paid late', 'The money came after the cancellation'],
    ]);
  });

  it('is known of seeded payments, which have no events', () => {
    expect(past(readsOf()).map(({ title }) => title)).toEqual([
      'Payment created',
      'Waiting for the payer',
      'Paid',
    ]);
  });

  it('calls each status by its word', () => {
    const titleOf = (resource: StoryResource) => past(readsOf({ resource }))[0]?.title.toLowerCase();
    for (const status of PAYMENT_STATUSES.filter((each) => each !== 'created')) {
      const resource = { ...PAYMENT, status, status_history: [{ status, at: at(0) }] };
      expect(titleOf(resource)).toContain(statusText('payment', status).toLowerCase());
    }
    for (const status of REFUND_STATUSES) {
      const resource = { ...REFUND, status, status_history: [{ status, at: at(0) }] };
      expect(titleOf(resource)).toContain(statusText('refund', status).toLowerCase());
    }
  });

  it('says what came instead of the amount, where the provider reports another one', () => {
    const payment: PaymentView = {
      ...PAYMENT,
      status: 'processing',
      received: THB(129_901),
      status_history: [...PAYMENT.status_history.slice(0, 2), { status: 'processing', at: at(4) }],
    };
    const [, , last, ...more] = past(
      readsOf({ resource: payment, events: [eventOf(payment, 'payment.amount_mismatch', 3, 4)] }),
    );
    expect(last).toMatchObject({
      title: 'Wrong amount',
      note: '฿1,299.01 came instead of ฿1,299.00',
    });
    expect(more).toEqual([]);
  });

  it('is what the events say of a link, which has no history of its own', () => {
    const link = { ...LINK, status: 'disabled', created_at: at(0) } as const;
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

describe('the settlement of what succeeded', () => {
  const taker = (...settlements: SettlementView[]) => settlementOf(at(4), settlements)?.id ?? null;

  it('is the earliest one that was made after it', () => {
    expect(taker({ ...settlementAt(90), id: 'stl_2' }, settlementAt(60))).toBe('stl_1');
    expect(taker(settlementAt(4))).toBe('stl_1');
    expect(taker()).toBeNull();
  });

  it('may be for a later day, and not for an earlier one', () => {
    expect(taker(settlementAt(60, '2026-11-09'))).toBe('stl_1');
    expect(taker(settlementAt(60, '2026-11-01'))).toBeNull();
  });

  it('is none that was made before, and none that did not match', () => {
    expect(taker(settlementAt(3))).toBeNull();
    expect(taker({ ...settlementAt(60), status: 'mismatched' })).toBeNull();
  });

  it('goes by the day in Bangkok', () => {
    const lateEvening = '2026-11-01T18:00:00.000Z';
    expect(settlementOf(lateEvening, [settlementAt(60, '2026-11-01')])).toBeNull();
    expect(settlementOf(lateEvening, [settlementAt(60)])).not.toBeNull();
  });
});

describe('what an event tells of', () => {
  const tells = (type: EventType, object: object, changes: Partial<StoryReads> = {}) =>
    concerns({ type, data: { object, previous_status: null } } as EventView, readsOf(changes));

  it('concerns the story of the resource and of what belongs to it', () => {
    expect(tells('payment.succeeded', { id: 'pay_1' })).toBe(true);
    expect(tells('refund.requested', { id: 'ref_9', payment_id: 'pay_1' })).toBe(true);
    expect(tells('payout.paid', { id: 'pot_1' }, { payouts: [{ ...VIEWS.payout, id: 'pot_1' }] })).toBe(true);
    const deliveries = [attemptOf('evt_3', 1)];
    expect(tells('webhook_endpoint.disabled', { id: 'whe_1' }, { deliveries })).toBe(true);
    const tellsOfLink = tells(
      'payment.created',
      { id: 'pay_9', payment_link_id: 'lnk_1' },
      { resource: LINK },
    );
    expect(tellsOfLink).toBe(true);
  });

  it('does not concern the story of another one', () => {
    expect(tells('payment.succeeded', { id: 'pay_2' })).toBe(false);
    expect(tells('refund.requested', { id: 'ref_9', payment_id: 'pay_2' })).toBe(false);
    expect(tells('payout.paid', { id: 'pot_1' })).toBe(false);
  });

  it('concerns it where a settlement may have taken what waits for one', () => {
    expect(tells('settlement.matched', { id: 'stl_1' })).toBe(true);
    expect(tells('settlement.matched', { id: 'stl_2' }, { settlements: [settlementAt(60)] })).toBe(false);
    const resource = { ...PAYMENT, succeeded_at: null };
    expect(tells('settlement.matched', { id: 'stl_1' }, { resource })).toBe(false);
  });
});

describe('an event is sent again', () => {
  it('to a sink, to an endpoint that is enabled, and to one that may be', () => {
    expect(canRedeliver({ endpoint_id: null }, [])).toBe(true);
    expect(canRedeliver({ endpoint_id: 'whe_1' }, [{ id: 'whe_1', status: 'enabled' }])).toBe(true);
    expect(canRedeliver({ endpoint_id: 'whe_1' }, null)).toBe(true);
  });

  it('not to an endpoint that is disabled or deleted', () => {
    expect(canRedeliver({ endpoint_id: 'whe_1' }, [{ id: 'whe_1', status: 'disabled' }])).toBe(false);
    expect(canRedeliver({ endpoint_id: 'whe_1' }, [{ id: 'whe_2', status: 'enabled' }])).toBe(false);
  });
});

describe('what lies ahead', () => {
  const now = new Date(at(1));

  it('is the expiry of an unpaid payment, and of no other', () => {
    const open: PaymentView = { ...PAYMENT, status: 'requires_action' };
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
    const dueAfter = (status: RefundView['status']) =>
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
  const offers = (resource: StoryResource, operationId: string, outcome?: string) =>
    possibleNow(resource, [], now).some(
      ({ operationId: id, body }) =>
        id === operationId && (outcome === undefined || ('outcome' in body && body.outcome === outcome)),
    );
  const statusesWith = (operationId: string, outcome?: string) =>
    PAYMENT_STATUSES.filter((status) => offers({ ...PAYMENT, status }, operationId, outcome));
  const paymentsAllowing = (command: string) =>
    PAYMENT_STATUSES.filter((status) => command in paymentMachine[status]);

  it.each([
    ['succeeded', 'succeed'],
    ['failed', 'fail'],
    ['pending', 'hold'],
    ['mismatch', 'mismatch'],
  ] as const)('with a payment is the outcome %s where its machine allows it', (outcome, command) => {
    expect(statusesWith('testkit.SimulatePayment', outcome)).toEqual(paymentsAllowing(command));
  });

  it.each(REFUND_OUTCOMES)('with a refund is the outcome %s until it has ended', (outcome) => {
    const possible = REFUND_STATUSES.filter((status) =>
      offers({ ...REFUND, status }, 'testkit.SimulateRefund', outcome),
    );
    const open = REFUND_STATUSES.filter((status) => Object.keys(refundMachine[status]).length > 0);
    expect(possible).toEqual(open);
  });

  it('is to cancel where the machines allow it', () => {
    expect(statusesWith('payments.CancelPayment')).toEqual(paymentsAllowing('cancel'));
    const cancelable = REFUND_STATUSES.filter((status) =>
      offers({ ...REFUND, status }, 'payments.CancelRefund'),
    );
    expect(cancelable).toEqual(REFUND_STATUSES.filter((status) => 'cancel' in refundMachine[status]));
  });

  const refundOf = (refunds: RefundView[], payment: PaymentView = PAYMENT, when = now) =>
    possibleNow(payment, refunds, when).find(({ label }) => label === 'Refund');

  it('is to refund an amount: by default what is neither refunded nor about to be', () => {
    expect(statusesWith('payments.RequestRefund')).toEqual(['succeeded']);
    const refunds: RefundView[] = [REFUND, { ...REFUND, status: 'failed', amount: THB(500) }];
    expect(refundOf(refunds, { ...PAYMENT, refunded_minor: 900 })).toMatchObject({
      body: { amount: THB(128_900) },
      asks: ['amount', 'reason'],
    });
    expect(refundOf([], { ...PAYMENT, refunded_minor: 129_900 })).toBeUndefined();
    expect(refundOf([{ ...REFUND, amount: THB(129_900) }])).toBeUndefined();
  });

  it.each(REFUND_STATUSES)(
    'is to refund what no refund holds that is under way, as one that is %s',
    (status) => {
      const isHeld = Object.keys(refundMachine[status]).length > 0;
      const left = refundOf([{ ...REFUND, status, amount: THB(29_900) }])?.body;
      expect(left).toEqual({ amount: THB(isHeld ? 100_000 : 129_900) });
    },
  );

  it('is to refund for as long as the domain allows it', () => {
    const end = Date.parse(PAYMENT.succeeded_at) + REFUND_WINDOW_MS;
    expect(refundOf([], PAYMENT, new Date(end))).toBeDefined();
    expect(refundOf([], PAYMENT, new Date(end + 1))).toBeUndefined();
  });

  it('is to fail with a result code to choose, of those that payers are told in words', () => {
    const open: PaymentView = { ...PAYMENT, status: 'created' };
    const fail = possibleNow(open, [], now).find(({ label }) => label === 'Fail');
    expect(fail).toMatchObject({ asks: ['result_code'], body: { outcome: 'failed' } });
    expect(RESULT_CODES).toEqual(Object.keys(textsOf('en').failures));
  });

  it('is to pay late, by the clock, unless the expiry is further away than a delay may be', () => {
    const lateAt = (seconds: number) => {
      const expires_at = new Date(now.getTime() + seconds * 1_000).toISOString();
      return possibleNow({ ...PAYMENT, status: 'created', expires_at }, [], now).find(
        ({ label }) => label === 'Pay late',
      )?.body;
    };
    expect(lateAt(14 * 60)).toEqual({ outcome: 'succeeded', delay_seconds: 14 * 60 + 1 });
    expect(lateAt(DELAY_SECONDS_MAX - 1)).toEqual({ outcome: 'succeeded', delay_seconds: DELAY_SECONDS_MAX });
    expect(lateAt(DELAY_SECONDS_MAX)).toBeUndefined();
  });

  it('is no action twice', () => {
    for (const resource of [
      ...PAYMENT_STATUSES.map((status) => ({ ...PAYMENT, status })),
      ...REFUND_STATUSES.map((status) => ({ ...REFUND, status })),
    ]) {
      const labels = possibleNow(resource, [], now).map(({ label }) => label);
      expect(labels).toEqual([...new Set(labels)]);
    }
  });
});
