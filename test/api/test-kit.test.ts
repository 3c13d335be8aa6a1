import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PAYMENT_OUTCOMES, PAYMENT_STATUSES } from '../../shared/domain/payment.ts';
import { LINK_STATUSES } from '../../shared/domain/payment-link.ts';
import { PAYOUT_OUTCOMES, PAYOUT_STATUSES } from '../../shared/domain/payout.ts';
import { REFUND_OUTCOMES, REFUND_STATUSES } from '../../shared/domain/refund.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import {
  createLink,
  createPayment,
  eventsOf,
  moveClock,
  paymentNow,
  simulate,
} from '../support/world/resources.ts';

const MINUTE = 60;

const thb = (minor: number) => ({ currency: 'THB', minor });

describe('the test kit', () => {
  test('reaches every status and outcome by calls to the API', { tags: 'slow' }, async () => {
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
  test('cannot give its money back twice', { tags: 'slow' }, async () => {
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
