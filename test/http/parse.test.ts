import { afterAll, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/api.ts';
import { startInProcess } from '../support/in-process.ts';
import { newKey } from '../support/merchant.ts';

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
