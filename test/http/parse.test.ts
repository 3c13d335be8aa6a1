import { afterAll, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { newKey } from '../support/world/merchant.ts';

const service = await startInProcess();
afterAll(() => service.stop());

const KEY_MAX_CHARS = 255;

test('an Idempotency-Key has at most 255 characters', async () => {
  const { secret } = await newKey();
  const sinkWith = async (idempotencyKey: string) =>
    clientOf(secret, service.baseUrl, service.send)(operations.createWebhookSink, { idempotencyKey });
  expect((await sinkWith('k'.repeat(KEY_MAX_CHARS))).status).toBe(201);
  expect((await sinkWith('k'.repeat(KEY_MAX_CHARS + 1))).problem.code).toBe('idempotency_key_invalid');
});

test('a body that names another resource than the path is refused, and nothing changes', async () => {
  const { secret } = await newKey();
  const api = clientOf(secret, service.baseUrl, service.send);
  const amount = { currency: 'THB', minor: 100 };
  const pay = async () => (await api(operations.createPayment, { body: { amount } })).json.id;
  const [id, other] = [await pay(), await pay()];
  const cancel = (payment_id: string) =>
    api(operations.cancelPayment, { params: { id }, body: { payment_id } });
  expect((await cancel(other)).problem.errors).toMatchObject([{ field: 'payment_id', code: 'mismatch' }]);
  expect((await api(operations.getPayment, { params: { id } })).json.status).toBe('created');
  expect((await cancel(id)).json.status).toBe('canceled');
});
