import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PAYMENT_OUTCOMES, PAYMENT_STATUSES } from '../../shared/domain/payment.ts';
import { LINK_STATUSES } from '../../shared/domain/payment-link.ts';
import { PAYOUT_OUTCOMES, PAYOUT_STATUSES } from '../../shared/domain/payout.ts';
import { REFUND_OUTCOMES, REFUND_STATUSES } from '../../shared/domain/refund.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { BUSY, resend } from '../support/world/resend.ts';
import { createLink, createPayment, moveClock, worldOf } from '../support/world/resources.ts';

const { Leases } = await import('../../shared/store/scheduler/lease.ts');
const { leaseKey } = await import('../../shared/store/table/keys.ts');

const MINUTE = 60;
const YEAR = 31_622_400;
/** By how much the clock of a target on another machine may differ. */
const SKEW_MS = 1_000;
const thb = (minor: number) => ({ currency: 'THB', minor });

function simulate(api: Client, id: string, body: Record<string, unknown>) {
  return api(operations.simulatePayment, { params: { id }, body });
}

async function paymentNow(api: Client, id: string) {
  return (await api(operations.getPayment, { params: { id } })).json;
}

async function eventsOf(api: Client, resourceId: string) {
  const { json } = await api(operations.listEvents, { query: { resource_id: resourceId, limit: '100' } });
  return json.data.toReversed();
}

describe('the test kit', () => {
  test('reaches every status and outcome by calls to the API', async () => {
    const { api } = await newMerchant();
    const seen = new Set<string>();
    const see = <T extends { status: string }>(kind: string, { status }: T) => seen.add(`${kind} ${status}`);
    const pay = async (outcome: (typeof PAYMENT_OUTCOMES)[number], order: Record<string, unknown> = {}) => {
      const payment = await createPayment(api, order);
      see('payment', payment);
      const { json } = await simulate(api, payment.id, { outcome });
      seen.add(`payment outcome ${json.outcome}`);
      see('payment', await paymentNow(api, payment.id));
      return payment.id;
    };

    await pay('succeeded', { method: undefined });
    await pay('failed');
    await pay('pending');
    await pay('mismatch');
    const { id: canceled } = await createPayment(api);
    see('payment', (await api(operations.cancelPayment, { params: { id: canceled } })).json);

    const paid = await pay('succeeded', { amount: thb(10_000) });
    const request = async (body: Record<string, unknown> = {}) => {
      const { json } = await api(operations.requestRefund, {
        params: { id: paid },
        body: { amount: thb(100), ...body },
      });
      see('refund', json);
      return json.id;
    };
    const look = async (id: string) =>
      see('refund', (await api(operations.getRefund, { params: { id } })).json);
    see('refund', (await api(operations.cancelRefund, { params: { id: await request() } })).json);
    const [watched, rejected] = [await request(), await request({ reason_code: 9999 })];
    const { id: left } = await createPayment(api);
    await moveClock(api, 15 * MINUTE);
    await look(watched);
    await look(rejected);
    see('payment', await paymentNow(api, left));
    await moveClock(api, MINUTE);
    await look(watched);
    for (const outcome of REFUND_OUTCOMES) {
      const id = await request();
      const { json } = await api(operations.simulateRefund, { params: { id }, body: { outcome } });
      seen.add(`refund outcome ${json.outcome}`);
      await look(id);
    }

    const link = await createLink(api);
    see('link', link);
    see('link', (await api(operations.disablePaymentLink, { params: { id: link.id } })).json);

    const settle = async (body: Record<string, unknown>) => {
      const { json } = await api(operations.simulateSettlement, { body });
      seen.add(`settlement outcome ${json.outcome}`);
      return String(json.payout_id);
    };
    await settle({ amount: thb(1), provider: 'other' });
    const payouts = [await settle({})];
    await settle({ provider: 'third' });
    for (const provider of ['a', 'b']) {
      await pay('succeeded');
      payouts.push(await settle({ provider }));
    }
    for (const [index, outcome] of PAYOUT_OUTCOMES.entries()) {
      const params = { id: payouts[index] ?? '' };
      see('payout', (await api(operations.getPayout, { params })).json);
      const { json } = await api(operations.simulatePayout, { params, body: { outcome } });
      seen.add(`payout outcome ${json.outcome}`);
      see('payout', (await api(operations.getPayout, { params })).json);
    }

    const expected = [
      ...PAYMENT_STATUSES.map((status) => `payment ${status}`),
      ...PAYMENT_OUTCOMES.map((outcome) => `payment outcome ${outcome}`),
      ...REFUND_STATUSES.map((status) => `refund ${status}`),
      ...REFUND_OUTCOMES.map((outcome) => `refund outcome ${outcome}`),
      ...LINK_STATUSES.map((status) => `link ${status}`),
      ...PAYOUT_STATUSES.map((status) => `payout ${status}`),
      ...PAYOUT_OUTCOMES.map((outcome) => `payout outcome ${outcome}`),
      ...['matched', 'mismatched', 'empty'].map((outcome) => `settlement outcome ${outcome}`),
    ];
    expect([...seen].toSorted()).toEqual(expected.toSorted());
  });
});

describe('a simulated payment', () => {
  test('without a method takes promptpay first, with an event for every step', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api, { method: undefined });
    await simulate(api, id, { outcome: 'succeeded' });
    expect(await paymentNow(api, id)).toMatchObject({
      status: 'succeeded',
      method: 'promptpay',
      late: false,
    });
    await moveClock(api, 1);
    const events = await eventsOf(api, id);
    expect(events.map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.requires_action',
      'payment.succeeded',
    ]);
    expect(events.map(({ data }) => data.previous_status)).toEqual([null, 'created', 'requires_action']);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test('applies an event id once: the same content is replayed, another one refused', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const [{ id }, other] = [await createPayment(api), await createPayment(api)];
    const first = await simulate(api, id, { outcome: 'succeeded', event_id: 'e-1' });
    expect(first.json).toMatchObject({
      payment_id: id,
      provider_event_id: 'e-1',
      replayed: false,
      refund_id: null,
    });
    const again = await simulate(api, id, { outcome: 'succeeded', event_id: 'e-1' });
    expect(again.json).toEqual({ ...first.json, replayed: true });
    for (const change of [{ outcome: 'failed' }, { outcome: 'succeeded', result_code: 'x' }]) {
      expect((await simulate(api, id, { event_id: 'e-1', ...change })).problem.code).toBe('event_conflict');
    }
    const amount = { outcome: 'succeeded', event_id: 'e-1', amount: thb(1) };
    expect((await simulate(api, id, amount)).problem.code).toBe('event_conflict');
    const elsewhere = await simulate(api, other.id, { outcome: 'succeeded', event_id: 'e-1' });
    expect(elsewhere.problem.code).toBe('event_conflict');
    await moveClock(api, 1);
    const types = (await eventsOf(api, id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'payment.succeeded')).toHaveLength(1);
  });

  test('requested many times at once succeeds once', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    const says = Array.from({ length: 10 }, () =>
      simulate(api, id, { outcome: 'succeeded', event_id: 'e-1' }),
    );
    const answers = await Promise.all(says);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ json }) => !json.replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ json }) => json.action_id)).size).toBe(1);
  });

  test('has an amount that fits its outcome', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api, { amount: thb(500) });
    const wrong = [
      { outcome: 'succeeded', amount: thb(501) },
      { outcome: 'mismatch', amount: thb(500) },
    ];
    for (const body of wrong) {
      const { status, problem } = await simulate(api, id, body);
      expect([status, problem.code]).toEqual([422, 'amount_mismatch']);
    }
    await simulate(api, id, { outcome: 'mismatch', amount: thb(499) });
    expect((await paymentNow(api, id)).status).toBe('processing');
    await simulate(api, id, { outcome: 'succeeded', amount: thb(500) });
    expect((await paymentNow(api, id)).status).toBe('succeeded');
  });

  test('that is late is recorded, and marked as late', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    await api(operations.cancelPayment, { params: { id } });
    await simulate(api, id, { outcome: 'succeeded' });
    expect(await paymentNow(api, id)).toMatchObject({ status: 'succeeded', late: true });
    const { problem } = await simulate(api, id, { outcome: 'failed' });
    expect(problem.details).toMatchObject({ current_status: 'succeeded' });
  });
});

describe('a refund', () => {
  test('counts on its payment when it succeeds, and gives its money back when it fails', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api, { amount: thb(1_000) });
    await simulate(api, id, { outcome: 'succeeded' });
    const refund = async (outcome: string) => {
      const { json } = await api(operations.requestRefund, { params: { id }, body: { amount: thb(400) } });
      const simulated = await api(operations.simulateRefund, { params: { id: json.id }, body: { outcome } });
      expect(simulated.json).toMatchObject({ refund_id: json.id, payment_id: id, outcome });
      return json.id;
    };
    await refund('failed');
    const refunded = await refund('succeeded');
    expect(await paymentNow(api, id)).toMatchObject({ refunded_minor: 400, status: 'succeeded' });
    const { problem } = await api(operations.requestRefund, { params: { id }, body: { amount: thb(601) } });
    expect(problem.details).toEqual({ refundable_minor: 600 });
    await moveClock(api, 1);
    expect((await eventsOf(api, refunded)).map(({ type }) => type)).toEqual([
      'refund.requested',
      'refund.approved',
      'refund.processing',
      'refund.succeeded',
    ]);
  });
});

describe('the outcome of a simulation', () => {
  const refundOf = async (api: Client, body: Record<string, unknown> = {}) => {
    const { id } = await createPayment(api);
    await simulate(api, id, { outcome: 'succeeded' });
    return (await api(operations.requestRefund, { params: { id }, body })).json.id;
  };
  const say = async (api: Client, id: string, body: Record<string, unknown>) => {
    const { json } = await api(operations.simulateRefund, { params: { id }, body });
    return [json.outcome, json.replayed];
  };

  test('is the actual result: a refund that approval rejects is rejected, in replays too', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const id = await refundOf(api, { reason_code: 9999 });
    const body = { outcome: 'succeeded', event_id: 'e-1' };
    expect(await say(api, id, body)).toEqual(['rejected', false]);
    expect(await say(api, id, body)).toEqual(['rejected', true]);
    const { json } = await api(operations.getRefund, { params: { id } });
    expect(json.status).toBe('rejected');
  });

  test.each([
    ['succeeded', {}, 'succeeded'],
    ['rejected', { reason_code: 9999 }, 'rejected'],
  ])('of a delayed one is queued, and then %s', { tags: 'slow' }, async (_, order, then) => {
    const { api } = await newMerchant();
    const id = await refundOf(api, order);
    const body = { outcome: 'succeeded', event_id: 'e-1', delay_seconds: 60 };
    expect(await say(api, id, body)).toEqual(['queued', false]);
    expect(await say(api, id, body)).toEqual(['queued', true]);
    await moveClock(api, 120);
    expect(await say(api, id, body)).toEqual([then, true]);
  });

  test('of a delayed one that comes too late is skipped', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    const late = { outcome: 'failed', event_id: 'e-1', delay_seconds: 60 };
    const outcomes = [(await simulate(api, id, late)).json.outcome];
    await simulate(api, id, { outcome: 'succeeded' });
    await moveClock(api, 120);
    outcomes.push((await simulate(api, id, late)).json.outcome);
    expect(outcomes).toEqual(['queued', 'skipped']);
    expect((await paymentNow(api, id)).status).toBe('succeeded');
  });
});

describe('a refund that was rejected', () => {
  test('cannot give its money back twice', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api, { amount: thb(1_000) });
    await simulate(api, id, { outcome: 'succeeded' });
    const { json } = await api(operations.requestRefund, { params: { id }, body: { reason_code: 9999 } });
    const say = () =>
      api(operations.simulateRefund, { params: { id: json.id }, body: { outcome: 'succeeded' } });
    expect((await say()).status).toBe(200);
    expect((await say()).problem.details).toMatchObject({ current_status: 'rejected' });
    const { problem } = await api(operations.requestRefund, { params: { id }, body: { amount: thb(1_001) } });
    expect(problem.details).toEqual({ refundable_minor: 1_000 });
  });
});

describe('a settlement', () => {
  test('pays out what succeeded, less refunds, once', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    for (const minor of [1_000, 2_500]) {
      const { id } = await createPayment(api, { amount: thb(minor) });
      await simulate(api, id, { outcome: 'succeeded' });
      if (minor === 1_000) {
        const { json } = await api(operations.requestRefund, { params: { id }, body: { amount: thb(300) } });
        await api(operations.simulateRefund, { params: { id: json.id }, body: { outcome: 'succeeded' } });
      }
    }
    const first = await api(operations.simulateSettlement, { body: { amount: thb(3_200) } });
    expect(first.json).toMatchObject({ outcome: 'matched', replayed: false, payment_id: null });
    const payout = await api(operations.getPayout, { params: { id: String(first.json.payout_id) } });
    expect(payout.json).toMatchObject({ status: 'pending', amount: thb(3_200), number: 'O-000001' });
    const again = await api(operations.simulateSettlement, { body: { amount: thb(3_200) } });
    expect(again.json).toEqual({ ...first.json, replayed: true });
    const other = await api(operations.simulateSettlement, { body: { amount: thb(1) } });
    expect(other.problem.code).toBe('settlement_exists');
    expect((await api(operations.simulateSettlement, { body: { provider: 'b' } })).json.outcome).toBe(
      'empty',
    );
  });

  test('does not settle a future day', async () => {
    const { api } = await newMerchant();
    const { problem } = await api(operations.simulateSettlement, { body: { value_date: '2099-01-01' } });
    expect(problem.errors).toMatchObject([
      {
        field: 'value_date',
        code: 'max',
        message: expect.stringMatching(/^must not be after \d{4}-\d\d-\d\d, the day/),
      },
    ]);
  });

  test('gives a returned payout a reason, and no other payout', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    await simulate(api, id, { outcome: 'succeeded' });
    const { json } = await api(operations.simulateSettlement);
    const params = { id: String(json.payout_id) };
    const odd = await api(operations.simulatePayout, {
      params,
      body: { outcome: 'paid', return_reason: 'x' },
    });
    expect(odd.problem.errors).toMatchObject([{ field: 'return_reason', code: 'conflict' }]);
    await api(operations.simulatePayout, { params, body: { outcome: 'paid' } });
    await api(operations.simulatePayout, { params, body: { outcome: 'returned' } });
    const returned = await api(operations.getPayout, { params });
    expect(returned.json).toMatchObject({ status: 'returned', return_reason: 'account_closed' });
  });
});

describe('the clock', () => {
  test('runs what becomes due in due order, each at its own time', async () => {
    const { api } = await newMerchant();
    const paidLate = await createPayment(api);
    const paidInTime = await createPayment(api);
    const abandoned = await createPayment(api);
    const { headers } = await simulate(api, paidLate.id, {
      outcome: 'succeeded',
      delay_seconds: 20 * MINUTE,
    });
    await simulate(api, paidInTime.id, { outcome: 'succeeded', delay_seconds: 10 * MINUTE });
    const { shifted, advanced_seconds, jobs_run } = await moveClock(api, 60 * MINUTE);
    expect(advanced_seconds).toBe(60 * MINUTE);
    expect(shifted).toMatchObject({ payments_expired: 2, simulations_applied: 2, jobs_remaining: 0 });
    // Two outcomes and two expiries: the payment that was paid in time does not wait for its own any more.
    expect(jobs_run).toBe(4);
    expect(Date.parse(shifted.to) - Date.parse(shifted.from)).toBe(60 * MINUTE * 1_000);

    const inTime = await paymentNow(api, paidInTime.id);
    expect(inTime).toMatchObject({ status: 'succeeded', late: false });
    const requestedAtMs = Date.parse(String(inTime.succeeded_at)) - 10 * MINUTE * 1_000;
    expect(requestedAtMs).toBeGreaterThanOrEqual(Date.parse(String(headers.get('pg-clock'))));
    expect(requestedAtMs).toBeLessThanOrEqual(Date.parse(shifted.from));
    const late = await paymentNow(api, paidLate.id);
    expect(late).toMatchObject({ status: 'succeeded', late: true });
    const events = await eventsOf(api, paidLate.id);
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['payment.expired', 'payment.succeeded']);
    expect(events.at(-2)?.timestamp).toBe(paidLate.expires_at);
    expect((await paymentNow(api, abandoned.id)).status).toBe('expired');
  });

  test('skips a delayed outcome that the state does not allow any more', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    await simulate(api, id, { outcome: 'failed', delay_seconds: 60 });
    await simulate(api, id, { outcome: 'succeeded' });
    const { shifted } = await moveClock(api, 120);
    expect(shifted.simulations_applied).toBe(0);
    expect((await paymentNow(api, id)).status).toBe('succeeded');
  });

  test('is read with what it will do next', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const before = (await api(operations.getClock)).json;
    expect(before).toMatchObject({ offset_seconds: 0, next_job_at: null });
    const payment = await createPayment(api);
    const requestedAtMs = Date.now();
    const moved = await api(operations.advanceClock, { body: { seconds: 5 } });
    const aheadMs = Date.parse(String(moved.headers.get('pg-clock'))) - 5_000;
    expect(aheadMs).toBeGreaterThan(requestedAtMs - SKEW_MS);
    expect(aheadMs).toBeLessThan(Date.now() + SKEW_MS);
    const after = (await api(operations.getClock)).json;
    expect(after).toMatchObject({ offset_seconds: 5, next_job_at: payment.expires_at });
  });

  test('moves once for two requests with one key, and one at a time', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const sent = { body: { seconds: 100 }, idempotencyKey: 'k' };
    await api(operations.advanceClock, sent);
    await api(operations.advanceClock, sent);
    expect((await api(operations.getClock)).json.offset_seconds).toBe(100);
    for (let index = 0; index < 40; index += 1) {
      await createPayment(api);
    }
    const moves = await Promise.all([advanceRaw(api), advanceRaw(api), advanceRaw(api)]);
    const done = moves.filter(({ status }) => status === 200).length;
    expect(moves.filter(({ problem }) => problem.code === 'clock_busy')).toHaveLength(3 - done);
    expect((await api(operations.getClock)).json.offset_seconds).toBe(100 + done * 3_600);
  });

  test('is busy while another move is under way', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const key = leaseKey(await worldOf(merchant));
    const leases = new Leases(60_000);
    onTestFinished(() => leases.close());
    expect(await leases.take(key, { mustExist: false })).toBe(true);
    const { problem } = await advanceRaw(api);
    expect(problem.code).toBe('clock_busy');
    await leases.release(key);
    expect((await advanceRaw(api)).status).toBe(200);
    expect((await api(operations.getClock)).json.offset_seconds).toBe(3_600);
  });

  test('moves at most two years ahead', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await moveClock(api, YEAR);
    await moveClock(api, YEAR);
    const { problem } = await api(operations.advanceClock, { body: { seconds: 1 } });
    expect(problem.errors).toMatchObject([{ field: 'seconds', code: 'max' }]);
  });

  test("of one merchant does not move another's", { tags: 'slow' }, async () => {
    const [one, two] = [await newMerchant(), await newMerchant()];
    const { id } = await createPayment(two.api);
    await moveClock(one.api, YEAR);
    expect((await paymentNow(two.api, id)).status).toBe('requires_action');
    expect((await two.api(operations.getClock)).json.offset_seconds).toBe(0);
  });
});

function advanceRaw(api: Client) {
  return api(operations.advanceClock, { body: { seconds: 3_600 } });
}

describe('a webhook sink', () => {
  async function withSink(instruction: Record<string, number> | null = null) {
    const merchant = await newMerchant();
    const { api } = merchant;
    const created = (await api(operations.createWebhookSink, { body: { name: 'orders' } })).json;
    const params = { id: created.id };
    if (instruction !== null) {
      await api(operations.updateWebhookSink, { params, body: instruction });
    }
    const { json: sink } = await api(operations.getWebhookSink, { params });
    const deliveries = async () =>
      (await api(operations.listDeliveries, { params, query: { limit: '100' } })).json.data.toReversed();
    return { ...merchant, sink, params, deliveries };
  }

  test('that is set to fail twice gets three attempts of one event, each signed', {
    tags: 'slow',
  }, async () => {
    const { api, sink, params, deliveries } = await withSink({ fail_count: 2, respond_status: 503 });
    await createLink(api);
    await moveClock(api, 6 * MINUTE);
    const attempts = await deliveries();
    expect(attempts.map(({ answered_status }) => answered_status)).toEqual([503, 503, 200]);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(attempts.map(({ status }) => status)).toEqual(['failed', 'failed', 'delivered']);
    expect(new Set(attempts.map(({ request_headers: headers }) => headers['webhook-id'])).size).toBe(1);
    const pauses = attempts.map(({ attempted_at }) => Date.parse(attempted_at));
    expect([Number(pauses[1]) - Number(pauses[0]), Number(pauses[2]) - Number(pauses[1])]).toEqual([
      5_000, 300_000,
    ]);
    for (const { body, request_headers: headers, signature_verdict: verdict } of attempts) {
      expect(verdict).toBe('valid');
      expect(new Webhook(sink.secret).verify(body, headers)).toMatchObject({ type: 'payment_link.created' });
    }
    const { json } = await api(operations.getWebhookSink, { params });
    expect(json).toMatchObject({ received_count: 3, fail_count: 0, respond_status: 200 });
  });

  test('shows its deliveries newest first, page by page, none missing and none twice', {
    tags: 'slow',
  }, async () => {
    const { api, params, deliveries } = await withSink();
    for (let made = 0; made < 7; made += 1) {
      await createLink(api);
    }
    await moveClock(api, 1);
    const pages: string[][] = [];
    let after: string | null = '';
    while (after !== null) {
      const query: Record<string, string> = { limit: '3', ...(after !== '' && { after }) };
      const { json } = await api(operations.listDeliveries, { params, query });
      pages.push(json.data.map(({ id }) => id));
      after = json.next_cursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    const all = await deliveries();
    expect(pages.flat()).toEqual(all.map(({ id }) => id).toReversed());
    expect(pages.flat()).toEqual(pages.flat().toSorted().toReversed());
  });

  test('signs so that any verifier accepts it, however far the clock was moved', {
    tags: 'slow',
  }, async () => {
    const { api, sink, deliveries } = await withSink();
    await moveClock(api, YEAR);
    const { id } = await createPayment(api);
    await moveClock(api, 1);
    const [first] = await deliveries();
    const event = new Webhook(sink.secret).verify(String(first?.body), first?.request_headers ?? {});
    expect(event).toMatchObject({ data: { object: { id } }, type: 'payment.created' });
    expect(Date.parse((event as { timestamp: string }).timestamp) - Date.now()).toBeGreaterThan(
      364 * 86_400_000,
    );
    const forged = String(first?.body).replace('payment.created', 'payment.succeeded');
    expect(() => new Webhook(sink.secret).verify(forged, first?.request_headers ?? {})).toThrow();
  });

  test('gets the events of one payment in order, and gives up after eight attempts', {
    tags: 'slow',
  }, async () => {
    const { api, deliveries } = await withSink({ respond_status: 500 });
    const { id } = await createPayment(api);
    await simulate(api, id, { outcome: 'pending' });
    await simulate(api, id, { outcome: 'succeeded' });
    await moveClock(api, 3 * 86_400);
    const attempts = await deliveries();
    const firsts = attempts.filter(({ attempt }) => attempt === 1).map(({ body }) => JSON.parse(body));
    expect(firsts.map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.requires_action',
      'payment.processing',
      'payment.succeeded',
    ]);
    expect(firsts.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    const last = attempts.filter(({ attempt }) => attempt === 8);
    expect(last.map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual(
      Array(4).fill(['exhausted', null]),
    );
    expect(attempts).toHaveLength(32);
  });

  test('gets an event again by redelivery', { tags: 'slow' }, async () => {
    const { api, params, deliveries } = await withSink();
    await createLink(api);
    await moveClock(api, 1);
    const [first] = await deliveries();
    const redelivery = await api(operations.redeliver, {
      params: { ...params, delivery_id: String(first?.id) },
      body: {},
    });
    expect(redelivery.json).toMatchObject({ event_id: first?.event_id, sink_id: params.id });
    await moveClock(api, 1);
    const all = await deliveries();
    expect(new Set(all.map(({ request_headers: headers }) => headers['webhook-id'])).size).toBe(1);
    expect(all).toHaveLength(2);
  });

  test('is named and numbered, and there are at most twenty', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    // So many at once conflict: a slow target responds to some with busy.
    const creations = Array.from({ length: 22 }, (_, index) =>
      resend(BUSY, () => api(operations.createWebhookSink, { idempotencyKey: `sink ${index}` })),
    );
    const answers = await Promise.all(creations);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const { json } = await api(operations.listWebhookSinks);
    expect(json.data.map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, index) => `sink-${20 - index}`),
    );
    expect(JSON.stringify(json)).not.toContain('whsec_');
  });

  test('is found by its token alone', async () => {
    const { sink } = await withSink();
    const wrong = `${sink.url.slice(0, -1)}${sink.url.endsWith('a') ? 'b' : 'a'}`;
    expect((await fetch(wrong, { method: 'POST', body: '{}' })).status).toBe(404);
    const unsigned = await fetch(sink.url, { method: 'POST', body: '{}' });
    expect([unsigned.status, unsigned.headers.get('sink-signature')]).toEqual([200, 'invalid']);
  });
});
