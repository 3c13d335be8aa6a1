import { describe, expect, test } from 'vitest';
import { hasSecret } from '../../shared/contract/operation.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { acceptableRequest, createPaidPayment, createPayment } from '../support/world/resources.ts';
import { quietItems, storedItems } from '../support/world/stored-items.ts';

const { callTable } = await import('../../shared/store/table/client.ts');

const ORDER = { amount: { currency: 'THB', minor: 5_000 }, method: 'promptpay', reference: 'r-1' };

describe('one Idempotency-Key', () => {
  test('makes one payment for any number of concurrent requests', async () => {
    const { api, merchant } = await newMerchant();
    const requests = Array.from({ length: 30 }, () =>
      api(operations.createPayment, { idempotencyKey: 'same', body: ORDER }),
    );
    const answers = await Promise.all(requests);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    const rest = answers.filter(({ status }) => status !== 201);
    expect(new Set(rest.map(({ problem }) => problem.code))).toEqual(
      new Set(rest.length === 0 ? [] : ['idempotency_in_progress']),
    );
    expect((await api(operations.listPayments)).json.data).toHaveLength(1);
    const kinds = (await quietItems(merchant)).map(({ pk, kind }) => kind ?? String(pk).split('#')[1]);
    expect(kinds.toSorted()).toEqual(['CLAIM', 'EVENTS', 'PAYMENT', 'expire-payment']);
  });

  test('is the same key with and without quotes', async () => {
    const { api } = await newMerchant();
    const bare = await api(operations.createPayment, { idempotencyKey: 'a "b" \\c', body: ORDER });
    const quoted = await api(operations.createPayment, { idempotencyKey: '"a \\"b\\" \\\\c"', body: ORDER });
    expect(quoted.text).toBe(bare.text);
  });

  test('names one request across all operations of a merchant', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api);
    await api(operations.cancelPayment, { params: { id }, idempotencyKey: 'k' });
    const other = await api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    expect(other.problem.code).toBe('idempotency_key_reused');
  });

  test('of one merchant is independent of the same text of another', async () => {
    const [one, two] = [await newMerchant(), await newMerchant()];
    const first = await one.api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    const second = await two.api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    expect(second.status).toBe(201);
    expect(second.json.id).not.toBe(first.json.id);
  });

  test('treats the same JSON with its fields in another order as the same request', async () => {
    const { api } = await newMerchant();
    const first = await api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    const turned = '{"reference":"r-1","method":"promptpay","amount":{"minor":5000.0,"currency":"THB"}}';
    expect((await api(operations.createPayment, { idempotencyKey: 'k', body: turned })).text).toBe(
      first.text,
    );
  });

  test('may be used again after a refusal, which changes nothing', async () => {
    const { api } = await newMerchant();
    const payment = await createPaidPayment(api, 1_000);
    const sent = { params: { id: payment.id }, idempotencyKey: 'k' };
    const amount = (minor: number) => ({ body: { amount: { currency: 'THB', minor } } });
    const refused = await api(operations.requestRefund, { ...sent, ...amount(1_001) });
    expect(refused.problem.code).toBe('refund_amount_exceeded');
    expect((await api(operations.requestRefund, { ...sent, ...amount(1_000) })).status).toBe(200);
  });

  test('is never replayed to an API key that lost its permission', async () => {
    const { api, merchant } = await newMerchant();
    await api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    const reader = await newKey({ merchant, permissions: ['payment.read'] });
    const refused = await clientOf(reader.secret)(operations.createPayment, {
      idempotencyKey: 'k',
      body: ORDER,
    });
    expect(refused.problem.code).toBe('permission_denied');
  });

  test.each(
    allOperations.filter((row) => row.idempotent && hasSecret(row)).map((row) => [row.id, row] as const),
  )('replays the secret in the response of %s to the key that made the request alone', async (_id, row) => {
    const { api, merchant } = await newMerchant();
    const sent = { ...(await acceptableRequest(row, api)), idempotencyKey: 'k' };
    const first = await api(row, sent);
    const [, secret] = /"(?:secret|key)":"([^"]+)"/.exec(first.text) ?? [];
    expect(first.status).toBe(row.success.status);
    const other = clientOf((await newKey({ merchant })).secret);
    const refused = await other(row, sent);
    expect([refused.status, refused.problem.code]).toEqual([403, 'permission_denied']);
    expect(refused.text).not.toContain(secret);
    expect(refused.headers.get('idempotent-replayed')).toBeNull();
    expect((await api(row, sent)).text).toBe(first.text);
  });

  test('replays a secret not to the successor of the key either, which is another key', async () => {
    const { api, id } = await newMerchant();
    const sent = { body: { name: 'ci' }, idempotencyKey: 'k' };
    await api(operations.createTestWorld, sent);
    const { rollApiKey } = await import('../../shared/store/worlds/api-key.ts');
    const { issued } = await rollApiKey(id, 60_000, 'a test', Date.now());
    const successor = clientOf(String(issued?.secret));
    expect((await successor(operations.createTestWorld, sent)).problem.code).toBe('permission_denied');
    expect((await api(operations.createTestWorld, sent)).headers.get('idempotent-replayed')).toBe('true');
  });

  test('is replayed only to a key that may read what the endpoint of its body receives', async () => {
    const { api, merchant } = await newMerchant();
    const narrow = await newKey({ merchant, permissions: ['webhook.manage', 'event.read', 'refund.read'] });
    const body = { url: 'https://example.com/hook', events: ['refund.*', 'payment.*'] };
    const created = await api(operations.createWebhookEndpoint, { body, idempotencyKey: 'create' });
    const params = { id: created.json.id };
    const changed = { params, body: { url: 'https://example.com/2' }, idempotencyKey: 'update' };
    expect((await api(operations.updateWebhookEndpoint, changed)).status).toBe(200);
    const refused = [
      await clientOf(narrow.secret)(operations.createWebhookEndpoint, { body, idempotencyKey: 'create' }),
      await clientOf(narrow.secret)(operations.updateWebhookEndpoint, changed),
    ];
    const lacks = ['permission_denied', { required: 'payment.read' }];
    expect(refused.map(({ problem }) => [problem.code, problem.details])).toEqual([lacks, lacks]);
  });

  test("is replayed without the address of the payer's page to a key that may not use it", async () => {
    const { api, merchant } = await newMerchant();
    const { id } = await createPayment(api, { checkout: true });
    const sent = { params: { id }, idempotencyKey: 'k' };
    const first = await api(operations.cancelPayment, sent);
    expect(first.json.checkout_url).toMatch(/checkout/);
    const { secret } = await newKey({ merchant, permissions: ['payment.cancel'] });
    const again = await clientOf(secret)(operations.cancelPayment, sent);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.json).toEqual({ ...first.json, checkout_url: null });
    expect((await api(operations.cancelPayment, sent)).text).toBe(first.text);
  });

  test('is forgotten 24 hours after it was used, and not before', async () => {
    const { api, merchant } = await newMerchant();
    const before = Math.floor(Date.now() / 1_000);
    const first = await api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    const record = (await storedItems(merchant)).find(({ sk }) => sk === 'CLAIM');
    expect(Number(record?.ttl) - before).toBeGreaterThanOrEqual(24 * 60 * 60);
    expect(Number(record?.ttl) - before).toBeLessThan(24 * 60 * 60 + 60);
    await callTable('UpdateItem', {
      Key: { pk: record?.pk, sk: record?.sk },
      UpdateExpression: 'SET #ttl = :past',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':past': before - 1 },
    });
    const later = await api(operations.createPayment, { idempotencyKey: 'k', body: ORDER });
    expect(later.json.id).not.toBe(first.json.id);
  });
});
