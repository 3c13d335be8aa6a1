import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createPayment, moveClock, worldOf } from '../support/world/resources.ts';

const { requestPks } = await import('../../shared/store/table/keys.ts');
const { partition } = await import('../support/world/stored-table.ts');

const LINK = { amount: { type: 'fixed', fixed: { currency: 'THB', minor: 35_000 } } };

async function logOf(api: Client, query = {}) {
  const { status, json } = await api(operations.listRequests, { query });
  expect(status).toBe(200);
  return json;
}

async function storedLog(merchant: string) {
  return (await Promise.all(requestPks(await worldOf(merchant)).map(partition))).flat();
}

describe('the log of requests', () => {
  test('shows what succeeded, was replayed and was refused, newest first, with both bodies', {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const idempotencyKey = randomUUID();
    const made = await api(operations.createPaymentLink, { body: LINK, idempotencyKey });
    const again = await api(operations.createPaymentLink, { body: LINK, idempotencyKey });
    const invalid = await api(operations.createPaymentLink, { body: {} });
    const missing = await api(operations.getPayment, { params: { id: made.json.id } });
    const { data } = await logOf(api);
    expect(data.map(({ id }) => id)).toEqual(
      [missing, invalid, again, made].map(({ headers }) => headers.get('x-request-id')),
    );
    expect(data.map(({ status, code, replayed }) => [status, code, replayed])).toEqual([
      [404, 'payment_not_found', false],
      [422, 'validation_failed', false],
      [201, null, true],
      [201, null, false],
    ]);
    const key = (await api(operations.getKey)).json;
    expect(data[3]).toEqual({
      id: made.headers.get('x-request-id'),
      at: expect.stringMatching(/Z$/),
      method: 'POST',
      path: '/api/v1/payment-links',
      operation: 'checkout.CreatePaymentLink',
      status: 201,
      code: null,
      duration_ms: expect.any(Number),
      key_id: key.id,
      idempotency_key: idempotencyKey,
      replayed: false,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      request_body: JSON.stringify(LINK),
      response_body: made.text,
    });
    expect(data[0]).toMatchObject({ idempotency_key: null, request_body: null, response_body: missing.text });
    expect(await storedLog(merchant)).toHaveLength(4);
  });

  test('has the times of the merchant, and leaves out reads that succeeded', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await moveClock(api, 86_400);
    const { id } = await createPayment(api);
    await api(operations.getPayment, { params: { id } });
    await api(operations.listPayments);
    const { data } = await logOf(api);
    expect(data.map(({ operation }) => operation)).toEqual([
      'payments.CreatePayment',
      'testkit.AdvanceClock',
    ]);
    expect(Date.parse(String(data[0]?.at)) - Date.now()).toBeGreaterThan(86_000_000);
  });

  test('is read page by page, none missing and none twice', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const sent: (string | null)[] = [];
    for (let nth = 0; nth < 7; nth += 1) {
      const { headers } = await api(operations.createPaymentLink, { body: nth % 2 === 0 ? LINK : {} });
      sent.push(headers.get('x-request-id'));
    }
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page = await logOf(api, { limit: '3', ...(after !== null && { after }) });
      found.push(...page.data.map(({ id }) => id));
      after = page.next_cursor;
    } while (after !== null);
    expect(found).toEqual(sent.toReversed());
  });

  test('keeps at most 4 KB of a body, and no API key and no signing secret', { tags: 'slow' }, async () => {
    const { api, secret, merchant } = await newMerchant();
    const sink = (await api(operations.createWebhookSink, { body: {} })).json;
    await api(operations.getWebhookSink, { params: { id: sink.id } });
    const endpoint = (
      await api(operations.createWebhookEndpoint, { body: { url: 'https://example.com/hook' } })
    ).json;
    await api(operations.rotateWebhookSecret, { params: { id: endpoint.id }, body: {} });
    await api(operations.createPaymentLink, { body: { ...LINK, description: `key ${secret}` } });
    await api(operations.createPaymentLink, { body: { [secret]: 'ก'.repeat(4_000) } });
    await api(operations.getPayment, { params: { id: secret }, headers: { 'Idempotency-Key': secret } });
    const { data } = await logOf(api);
    expect(endpoint.secret).toMatch(/^whsec_/);
    const text = JSON.stringify(data);
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]/);
    expect(text).not.toMatch(/pg_test_[0-9a-zA-Z]/);
    const long = String(data.find(({ request_body: body }) => body?.includes('กก'))?.request_body);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(long)).toBeGreaterThan(4_096 - 3);
    expect(long).not.toContain('\ufffd');
    expect(await storedLog(merchant)).not.toHaveLength(0);
  });

  test("hides the addresses of payers' pages from a key that may not use them", async () => {
    const { api, merchant } = await newMerchant();
    const { checkout_url: url } = await createPayment(api, { checkout: true });
    expect((await logOf(api)).data[0]?.response_body).toContain(url);
    const { secret } = await newKey({ merchant, permissions: ['simulate'] });
    const { data } = await logOf(clientOf(secret));
    const token = String(url).split('/').at(-1);
    expect(data[0]?.response_body).toContain('/checkout/…');
    expect(JSON.stringify(data)).not.toContain(token);
  });

  test('belongs to a test world: live requests are not logged, and a live key is refused', async () => {
    const { api, merchant } = await newMerchant();
    const live = await newKey({ merchant, mode: 'live' });
    const refused = await clientOf(live.secret)(operations.createPaymentLink, { body: {} });
    expect(refused.status).toBe(422);
    expect((await logOf(api)).data).toEqual([]);
    expect((await clientOf(live.secret)(operations.listRequests)).problem.code).toBe('test_mode_only');
  });

  test('ends with a purge, which is the first entry of the next log', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    await createPayment(api);
    const before = await worldOf(merchant);
    await api(operations.purgeTestData, { body: {} });
    expect((await logOf(api)).data.map(({ operation }) => operation)).toEqual(['testkit.PurgeTestData']);
    const left = async () => (await Promise.all(requestPks(before).map(partition))).flat();
    await expect.poll(left).toEqual([]);
  });

  test('refuses a cursor that it has not given out', async () => {
    const { api } = await newMerchant();
    const { status, problem } = await api(operations.listRequests, { query: { after: 'x' } });
    expect([status, problem.code]).toEqual([422, 'validation_failed']);
  });
});
