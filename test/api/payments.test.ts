import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { createPaidPayment, createPayment, passTime } from '../support/world/resources.ts';
import { quietItems } from '../support/world/stored-items.ts';

const MINUTE_MS = 60_000;

describe('a new payment', () => {
  test.each(PAYMENT_METHODS)("by %s has the payer's next action, and can be retrieved", async (method) => {
    const { api } = await newMerchant();
    const payment = await createPayment(api, { method });
    expect(payment).toMatchObject({
      status: 'requires_action',
      method,
      late: false,
      refunded_minor: 0,
      mode: 'test',
    });
    expect(payment.next_action?.expires_at).toBe(payment.expires_at);
    expect(payment.checkout_url).toBeNull();
    const read = await api(operations.getPayment, { params: { id: payment.id } });
    expect(read.json).toEqual(payment);
  });

  test('without a method waits on its checkout page', async () => {
    const { api } = await newMerchant();
    const payment = await createPayment(api, { method: undefined });
    expect(payment).toMatchObject({ status: 'created', method: null, next_action: null });
    const [base, token] = String(payment.checkout_url).split('/checkout/');
    expect(base).toBe(baseUrl);
    expect(token).toMatch(/^[0-9A-Za-z]{64}$/);
    expect(Date.parse(payment.expires_at) - Date.parse(payment.created_at)).toBe(1_440 * MINUTE_MS);
  });

  test('keeps everything it was given, except what must not be shown', async () => {
    const { api } = await newMerchant();
    const given = {
      amount: { currency: 'THB', minor: 999_999_999_999 },
      reference: 'คำสั่งซื้อ-๑',
      description: 'สองที่นั่ง 🎫',
      expires_in_minutes: 43_200,
      metadata: { z: 'last', a: 'first', n: Number.MAX_SAFE_INTEGER, f: -0.5, yes: true, none: null },
      return_url: 'https://shop.example.com/thanks?order=1#top',
    };
    const customer = { email: 'a@example.com', name: 'สมชาย ใจดี', phone: '0812345678' };
    const payment = await createPayment(api, {
      ...given,
      customer,
      checkout: true,
      client_ip: '2001:db8::1',
    });
    const { expires_in_minutes: minutes, ...shown } = given;
    expect(payment).toMatchObject({
      ...shown,
      customer_email: customer.email,
      customer_name: customer.name,
      customer_phone: '+66812345678',
    });
    expect(Date.parse(payment.expires_at) - Date.parse(payment.created_at)).toBe(minutes * MINUTE_MS);
    expect(payment.checkout_url).not.toBeNull();
    const read = await api(operations.getPayment, { params: { id: payment.id } });
    expect(read.text).not.toContain('2001:db8');
    expect(JSON.stringify(read.json)).toBe(JSON.stringify(payment));
  });

  test('is numbered in order', async () => {
    const { api } = await newMerchant();
    expect((await createPayment(api)).number).toBe('P-000001');
    expect((await createPayment(api)).number).toBe('P-000002');
  });

  test('is committed together with its events and its expiry job', async () => {
    const { api, merchant } = await newMerchant();
    const payment = await createPayment(api);
    const items = await quietItems(merchant);
    const jobs = items.flatMap(({ job }) => (job === undefined ? [] : [JSON.parse(String(job))]));
    expect(jobs).toEqual([
      { kind: 'expire-payment', paymentId: payment.id, dueAtMs: Date.parse(payment.expires_at) },
    ]);
    const { json } = await api(operations.listEvents, { query: { resource_id: payment.id } });
    expect(json.data.map(({ type }) => type)).toEqual(['payment.requires_action', 'payment.created']);
    expect(json.data[0]?.data).toEqual({ previous_status: 'created', object: payment });
  });
});

describe('the PromptPay picture', () => {
  test('is drawn only for requests with its secret address', async () => {
    const { api } = await newMerchant();
    const { next_action: action } = await createPayment(api);
    const url = action?.type === 'display_qr' ? action.qr.image_svg_url : '';
    const picture = await fetch(url);
    expect(picture.headers.get('content-type')).toBe('image/svg+xml');
    expect(await picture.text()).toMatch(/^<svg.*<\/svg>$/s);
    const token = url.split('/').at(-2) ?? '';
    const wrong = [
      `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
      `f${token.slice(1)}x`,
      'x',
      '..%2f',
    ];
    for (const guess of wrong) {
      expect((await clientOf(null)(operations.getPaymentQr, { params: { token: guess } })).status).toBe(404);
    }
  });

  test('is not found when the payment cannot be paid any more', async () => {
    const { api } = await newMerchant();
    const { id, next_action: action } = await createPayment(api);
    await api(operations.cancelPayment, { params: { id } });
    expect((await fetch(action?.type === 'display_qr' ? action.qr.image_svg_url : '')).status).toBe(404);
  });
});

describe('canceling a payment', () => {
  test('ends it, and shows the customer as an object of its own', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api, { customer: { name: 'Somchai' } });
    const { json } = await api(operations.cancelPayment, { params: { id }, body: { payment_id: id } });
    expect(json).toMatchObject({ status: 'canceled', next_action: null });
    expect(json.customer).toEqual({ email: null, name: 'Somchai', phone: null });
    expect((await api(operations.getPayment, { params: { id } })).json.status).toBe('canceled');
  });

  test('happens once: a second request, with another key, gets the current status', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    const requests = Array.from({ length: 10 }, () => api(operations.cancelPayment, { params: { id } }));
    const answers = await Promise.all(requests);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused?.problem).toMatchObject({
      code: 'invalid_state',
      details: { current_status: 'canceled', allowed_from: ['created', 'requires_action'] },
    });
  });

  test('is refused for one that was paid', async () => {
    const { api } = await newMerchant();
    const { id } = await createPaidPayment(api);
    const { problem } = await api(operations.cancelPayment, { params: { id } });
    expect(problem.details).toMatchObject({ current_status: 'succeeded' });
  });
});

describe('a payment whose time is over', () => {
  test('reads as expired everywhere, though no job has run', async () => {
    const { api, merchant } = await newMerchant();
    const { id, next_action: action } = await createPayment(api);
    await passTime(merchant, 15 * MINUTE_MS);
    const read = await api(operations.getPayment, { params: { id } });
    expect(read.json).toMatchObject({ status: 'expired', next_action: null });
    const listed = await api(operations.listPayments, { query: { status: 'expired' } });
    expect(listed.json.data.map((payment) => payment.id)).toEqual([id]);
    expect((await api(operations.listPayments, { query: { status: 'requires_action' } })).json.data).toEqual(
      [],
    );
    const canceled = await api(operations.cancelPayment, { params: { id } });
    expect(canceled.problem.details).toMatchObject({ current_status: 'expired' });
    expect((await fetch(action?.type === 'display_qr' ? action.qr.image_svg_url : '')).status).toBe(404);
  });
});

describe('the history of a payment', () => {
  test('has every status of the payment, as its events do, with the time of each', async () => {
    const { api } = await newMerchant();
    const { id, created_at } = await createPaidPayment(api);
    const { json } = await api(operations.getPayment, { params: { id } });
    expect(json.status_history).toEqual([
      { status: 'created', at: created_at },
      { status: 'requires_action', at: created_at },
      { status: 'succeeded', at: json.succeeded_at },
    ]);
    const { data } = (await api(operations.listPayments, { query: { limit: '1' } })).json;
    expect(data).toEqual([json]);
  });

  test('includes an expiry that is not recorded yet', async () => {
    const { api, merchant } = await newMerchant();
    const { id, expires_at } = await createPayment(api);
    await passTime(merchant, 15 * MINUTE_MS);
    const { json } = await api(operations.getPayment, { params: { id } });
    expect(json.status_history.at(-1)).toEqual({ status: 'expired', at: expires_at });
  });

  test('has the code of a failure', async () => {
    const { api } = await newMerchant();
    const { id, failure_code: before } = await createPayment(api);
    const body = { outcome: 'failed', result_code: 'insufficient_funds' };
    await api(operations.simulatePayment, { params: { id }, body });
    const { json } = await api(operations.getPayment, { params: { id } });
    expect([before, json.failure_code]).toEqual([null, 'insufficient_funds']);
  });

  test('has a mismatched amount until the requested amount is paid', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    const simulate = (body: Record<string, unknown>) =>
      api(operations.simulatePayment, { params: { id }, body });
    const received = async () => (await api(operations.getPayment, { params: { id } })).json.received;
    expect(await received()).toBeNull();
    const amount = { currency: 'THB', minor: 999 };
    await simulate({ outcome: 'mismatch', amount });
    expect(await received()).toEqual(amount);
    await simulate({ outcome: 'succeeded' });
    expect(await received()).toBeNull();
  });
});
