import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { createTestWorld } from '../../../shared/client/testing/create-test-world.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';

const LONG_AGO = '2020-01-01T00:00:00Z';
/** Far longer than a call takes. */
const SOON_MS = 10_000;
/** For a machine with much else to do. */
const PATIENT_MS = 60_000;
const PAYMENT = { amount: { currency: 'THB', minor: 129_900 }, method: 'promptpay' } as const;

beforeEach(() => void vi.useFakeTimers({ now: new Date(LONG_AGO) }));
afterEach(() => void vi.useRealTimers());

/** A server that refuses the first request. */
async function serverThatAnswersAgain(retryAfter: () => string) {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    const isFirst = requests === 1;
    response.writeHead(isFirst ? 429 : 200, {
      'content-type': 'application/json',
      ...(isFirst && { 'retry-after': retryAfter() }),
    });
    const problem = { type: 'about:blank', title: 'Too many', status: 429, code: 'rate_limited' };
    response.end(JSON.stringify(isFirst ? problem : { now: LONG_AGO }));
  });
  return listening(server);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('where a test has put a clock that stands in the place of the real one', () => {
  test('a world is made, waits for an event and its webhook, and ends', async () => {
    vi.stubEnv('PG_BASE_URL', baseUrl);
    vi.stubEnv('PG_KEY', (await newKey()).secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const world = await createTestWorld({ eventTimeoutMs: PATIENT_MS });
    onTestFinished(() => world.end());
    await world.webhookSecret();
    const { id } = await world.client.createPayment(PAYMENT);
    await world.client.advanceClock({ seconds: 60 });
    expect((await world.nextEvent('payment.created')).data.object.id).toBe(id);
    const webhook = await world.nextWebhook('payment.requires_action');
    expect(webhook.body).toContain(id);
    await expect(world.nextEvent('payment.succeeded', { timeoutMs: 50 })).rejects.toThrow('within 50 ms');
    expect(new Date().toISOString()).toBe('2020-01-01T00:00:00.000Z');
  });

  test('a call is sent although an earlier one has left its connection open', async () => {
    vi.useRealTimers();
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"now":"2020-01-01T00:00:00Z"}');
    });
    // It closes none by itself.
    server.keepAliveTimeout = 0;
    const client = createClient({ baseUrl: await listening(server), key: 'k', maxRetries: 0 });
    await client.getClock();
    vi.useFakeTimers({ now: new Date(LONG_AGO) });
    for (const _call of [1, 2]) {
      await client.getClock({ timeoutMs: SOON_MS });
    }
  });

  test.each<[string, () => string]>([
    ['no seconds', () => '0'],
    ['the date that it is', () => new Date().toUTCString()],
  ])('a call is repeated that is refused for %s', async (_name, retryAfter) => {
    const url = await serverThatAnswersAgain(() => {
      vi.useRealTimers();
      const value = retryAfter();
      vi.useFakeTimers({ now: new Date(LONG_AGO) });
      return value;
    });
    expect((await createClient({ baseUrl: url, key: 'k' }).getClock()).now).toBe(LONG_AGO);
  });
});
