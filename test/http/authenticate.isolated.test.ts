import { afterAll, afterEach, describe, expect, inject, test, vi } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { DAY_MS, toDay } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import { startHeldStore } from '../support/faults/held-store.ts';
import { clientOf } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { newKey } from '../support/world/merchant.ts';
import { worldOf } from '../support/world/resources.ts';

const store = await startHeldStore(inject('service').dynamodbEndpoint);
// Before the first call, for the client looks once.
process.env.AWS_ENDPOINT_URL_DYNAMODB = store.endpoint;
const { listApiKeys } = await import('../../shared/store/worlds/api-key.ts');
const { callTable } = await import('../../shared/store/table/client.ts');
const { worldKey } = await import('../../shared/store/table/keys.ts');
const service = await startInProcess();
afterEach(() => {
  store.let();
  vi.useRealTimers();
});
afterAll(async () => {
  await service.stop();
  await store[Symbol.asyncDispose]();
});

const { listPayments } = operations;
const NOTE = 'UpdateItem';

async function newCaller() {
  const { secret, merchant } = await newKey();
  return {
    api: clientOf(secret, service.baseUrl, service.send),
    dayOfUse: async () => (await listApiKeys(merchant))[0]?.lastUsedDay,
  };
}

describe('the day of a key’s use', () => {
  test('is written with the first request of each day, and with no other', { tags: 'slow' }, async () => {
    const { api, dayOfUse } = await newCaller();
    const now = Date.now();
    for (const atMs of [now, now + DAY_MS]) {
      vi.useFakeTimers({ toFake: ['Date'], now: atMs });
      expect(await store.callsOf(NOTE, () => api(listPayments))).toBe(1);
      expect(await dayOfUse()).toBe(toDay(atMs));
      expect(await store.callsOf(NOTE, () => api(listPayments))).toBe(0);
    }
  });

  test("is written beside the request's own work, and before its response", async () => {
    const { api, dayOfUse } = await newCaller();
    // A request that waited for the note before its own reads would wait until it dropped the note.
    store.holdUntil(NOTE, 'Query');
    expect((await api(listPayments)).status).toBe(200);
    expect(store.answered()).toContain(NOTE);
    expect(await dayOfUse()).toBe(toDay(Date.now()));
  });

  test.each(['fails', 'is silent'] as const)(
    'is skipped if the store %s: the request succeeds',
    async (how) => {
      const { api, dayOfUse } = await newCaller();
      store.refuse(how, (operation) => operation === NOTE);
      expect((await api(listPayments)).status).toBe(200);
      expect(await dayOfUse()).toBeNull();
      store.let();
      expect((await api(listPayments)).status).toBe(200);
      expect(await dayOfUse()).toBe(toDay(Date.now()));
    },
  );

  test('is not written for a refused key', async () => {
    const { secret, merchant } = await newKey({ expiresAtMs: Date.now() - 1 });
    const api = clientOf(secret, service.baseUrl, service.send);
    expect(await store.callsOf(NOTE, () => api(listPayments))).toBe(0);
    expect((await listApiKeys(merchant))[0]?.lastUsedDay).toBeNull();
  });
});

test('a key in another than its canonical spelling is refused without a read of the store', async () => {
  const { secret } = await newKey();
  const api = clientOf(null, service.baseUrl, service.send);
  for (const spelled of [`bEaReR ${secret}`, `Bearer  ${secret}`]) {
    const headers = { Authorization: spelled };
    const code = async () => (await api(listPayments, { headers })).problem.code;
    await store.callsOf(NOTE, async () => expect(await code()).toBe('authentication_missing'));
    expect(store.answered()).toEqual([]);
  }
});

describe('the network of a request', () => {
  test.each(['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'True-Client-IP', 'CF-Connecting-IP'])(
    'is not taken from %s',
    async (header) => {
      const { secret } = await newKey({ networks: ['203.0.113.0/24'] });
      const forged = header === 'Forwarded' ? 'for=203.0.113.7' : '203.0.113.7';
      // Over HTTP, to the local host: it was sent from this machine.
      const { status, problem } = await clientOf(secret)(listPayments, { headers: { [header]: forged } });
      expect([status, problem.code]).toEqual([403, 'ip_not_allowed']);
    },
  );

  test('is that of the connection', async () => {
    const { secret } = await newKey({ networks: ['127.0.0.0/8', '::1'] });
    const forged = { 'X-Forwarded-For': '203.0.113.7' };
    expect((await clientOf(secret)(listPayments, { headers: forged })).status).toBe(200);
  });
});

test('a live key gets no operation of the test kit', async () => {
  const { secret } = await newKey({ mode: 'live' });
  const refused = await clientOf(secret, service.baseUrl, service.send)(operations.getClock);
  expect([refused.status, refused.problem.code]).toEqual([403, 'test_mode_only']);
});

test('the permission to simulate opens deliveries in test mode alone', async () => {
  const answers = ['test', 'live'].map(async (mode) => {
    const { secret } = await newKey({ mode: mode as 'test' | 'live', permissions: ['simulate'] });
    const api = clientOf(secret, service.baseUrl, service.send);
    const { status, problem } = await api(operations.listEventDeliveries, {
      params: { id: newId('evt', 0) },
    });
    return [status, problem.code];
  });
  expect(await Promise.all(answers)).toEqual([
    [404, 'event_not_found'],
    [403, 'permission_denied'],
  ]);
});

test('a fork is not found before it is whole', async () => {
  const { secret, merchant } = await newKey();
  const api = clientOf(secret, service.baseUrl, service.send);
  expect((await api(listPayments)).status).toBe(200);
  await callTable('UpdateItem', {
    Key: worldKey((await worldOf(merchant)).id),
    UpdateExpression: 'SET forkSource = :source',
    ExpressionAttributeValues: { ':source': { id: 'another', epoch: 1 } },
  });
  const { status, problem } = await api(listPayments);
  expect([status, problem.code]).toEqual([503, 'temporarily_unavailable']);
});
