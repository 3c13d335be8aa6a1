import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, test } from 'vitest';
import { createTable } from '../../../infra/local/store.ts';
import { FUNCTION_TIMEOUT_SECONDS } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { startHeldStore } from '../../support/faults/held-store.ts';
import { clientOf } from '../../support/world/api.ts';
import { startInProcess } from '../../support/world/in-process.ts';
import { newKey } from '../../support/world/merchant.ts';

const STORE = inject('service').dynamodbEndpoint;
const TABLE_NAME = `silent-${process.pid}`;
const ORDER = { amount: { currency: 'THB', minor: 5_000 }, method: 'promptpay' };

const store = await startHeldStore(STORE);
// Set before the first call, because the client reads it only once.
Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, TABLE_NAME });
await createTable(STORE, TABLE_NAME);
const service = await startInProcess();
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await service.stop();
});

test.each<[what: string, isSilent: (operation: string, isCommitting: boolean) => boolean]>([
  ['a commit', (operation) => operation === 'TransactWriteItems'],
  ['a commit, and anything after it', (_operation, isCommitting) => isCommitting],
  ['anything', () => true],
])('a store that never answers %s gives a 503 before Lambda stops the function', async (_what, isSilent) => {
  const api = clientOf((await newKey()).secret, service.baseUrl, service.send);
  // Loads the function; its time starts when it is called.
  expect(await api(operations.createPayment, { body: ORDER })).toMatchObject({ status: 201 });
  let isCommitting = false;
  store.refuse('is silent', (operation) => {
    isCommitting ||= operation === 'TransactWriteItems';
    return isSilent(operation, isCommitting);
  });
  const answer = await Promise.race([
    api(operations.createPayment, { body: ORDER }),
    sleep(FUNCTION_TIMEOUT_SECONDS * 1_000).then(() => 'stopped by Lambda' as const),
  ]);
  store.let();
  expect(answer).toMatchObject({ status: 503, problem: { code: 'temporarily_unavailable' } });
});
