import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createPaidPayment, createPayment, passTime } from '../support/world/resources.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const thb = (minor: number) => ({ currency: 'THB', minor });

async function paid(minor: number) {
  const { secret, merchant } = await newKey();
  const api = clientOf(secret);
  const { id } = await createPaidPayment(api, minor);
  return { api, merchant, params: { id } };
}

describe('requesting a refund', () => {
  test('requests the whole remaining amount by default', async () => {
    const { api, params } = await paid(1_000);
    await api(operations.requestRefund, { params, body: { amount: thb(300) } });
    const { json } = await api(operations.requestRefund, {
      params,
      body: { reason: 'broken', reason_code: 5 },
    });
    expect(json).toMatchObject({
      amount: thb(700),
      payment_id: params.id,
      status: 'requested',
      reason: 'broken',
      reason_code: 5,
      succeeded_at: null,
    });
    expect((await api(operations.getRefund, { params: { id: json.id } })).json).toEqual(json);
  });

  test('never takes more than was paid, however many are requested at once', async () => {
    const { api, params } = await paid(1_000);
    const requests = Array.from({ length: 20 }, () =>
      api(operations.requestRefund, { params, body: { amount: thb(100) } }),
    );
    const answers = await Promise.all(requests);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ problem }) => problem.code))).toEqual(new Set(['refund_amount_exceeded']));
    expect(refused[0]?.problem.details).toEqual({ refundable_minor: 0 });
    expect(refused[0]?.problem.detail).toContain('Nothing is left to refund');
    const alive = await api(operations.listRefunds, {
      query: { payment_id: params.id, status: 'requested' },
    });
    expect(alive.json.data).toHaveLength(10);
  });

  test('says how much can still be refunded', async () => {
    const { api, params } = await paid(1_000);
    await api(operations.requestRefund, { params, body: { amount: thb(400) } });
    const { status, problem } = await api(operations.requestRefund, { params, body: { amount: thb(601) } });
    expect([status, problem.details]).toEqual([422, { refundable_minor: 600 }]);
  });

  test('is possible only for payments that succeeded', async () => {
    const { secret } = await newKey();
    const api = clientOf(secret);
    const { id } = await createPayment(api);
    const { problem } = await api(operations.requestRefund, { params: { id } });
    expect(problem).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'requires_action', allowed_from: ['succeeded'] },
    });
  });

  test('is possible until 180 days after the success', async () => {
    const { api, merchant, params } = await paid(1_000);
    await passTime(merchant, 180 * DAY_MS - 60_000);
    expect((await api(operations.requestRefund, { params, body: { amount: thb(1) } })).status).toBe(200);
    await passTime(merchant, 180 * DAY_MS + 60_000);
    expect((await api(operations.requestRefund, { params })).problem.code).toBe('refund_window_closed');
  });
});

describe('canceling a refund', () => {
  test('releases its amount for other refunds', async () => {
    const { api, params } = await paid(1_000);
    const { json: refund } = await api(operations.requestRefund, { params });
    const canceled = await api(operations.cancelRefund, {
      params: { id: refund.id },
      body: { refund_id: refund.id },
    });
    expect(canceled.json).toMatchObject({
      ...refund,
      status: 'canceled',
      status_history: [{}, { status: 'canceled' }],
    });
    expect((await api(operations.requestRefund, { params })).json.amount).toEqual(thb(1_000));
  });

  test('happens once, so that its amount is given back once', async () => {
    const { api, params } = await paid(1_000);
    const { json: refund } = await api(operations.requestRefund, { params, body: { amount: thb(600) } });
    const requests = Array.from({ length: 8 }, () =>
      api(operations.cancelRefund, { params: { id: refund.id } }),
    );
    const answers = await Promise.all(requests);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { problem } = await api(operations.requestRefund, { params, body: { amount: thb(1_001) } });
    expect(problem.details).toEqual({ refundable_minor: 1_000 });
  });
});

describe('the history of a refund', () => {
  test('has every status of the refund, and the code of its failure', async () => {
    const { api, params } = await paid(1_000);
    const { json: refund } = await api(operations.requestRefund, { params });
    expect(refund).toMatchObject({
      failure_code: null,
      status_history: [{ status: 'requested', at: refund.created_at }],
    });
    const body = { outcome: 'failed', result_code: 'account_closed' };
    await api(operations.simulateRefund, { params: { id: refund.id }, body });
    const { json } = await api(operations.getRefund, { params: { id: refund.id } });
    expect(json.failure_code).toBe('account_closed');
    expect(json.status_history.map(({ status }) => status)).toEqual([
      'requested',
      'approved',
      'processing',
      'failed',
    ]);
  });
});
