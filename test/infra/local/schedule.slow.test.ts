// @module-tag nightly
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { passOnToStore } from '../../support/faults/proxy.ts';
import { type Client, clientOf } from '../../support/world/api.ts';
import { type Host, startHost, untilDead } from '../../support/world/host.ts';
import { createPayment, moveClock } from '../../support/world/resources.ts';

/** A few ticks of the local clock. */
const TICKS_WITHIN_MS = 10_000;

function apiOf(host: Host): Client {
  return clientOf(host.key, host.baseUrl);
}

async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await holds()) && Date.now() < giveUpAt) {
    await sleep(20);
  }
}

async function receivedCount(api: Client, id: string): Promise<number> {
  return (await api(operations.getWebhookSink, { params: { id } })).json.received_count;
}

async function eventTypes(api: Client): Promise<string[]> {
  return (await api(operations.listEvents)).json.data.map(({ type }) => type);
}

interface StoreCall {
  readonly target: string;
  readonly body: string;
}

/** An endpoint in front of a store's. @param fateOf what becomes of a call: one that is held gets no response */
async function storeBehind(endpoint: string, fateOf: (call: StoreCall) => 'passed on' | 'held' | 'unknown') {
  const server = createServer(async (request, response) => {
    const answers = { 'Content-Type': 'application/x-amz-json-1.0' };
    const body = await text(request);
    const fate = fateOf({ target: String(request.headers['x-amz-target']), body });
    if (fate === 'unknown') {
      response.writeHead(400, answers).end('{"__type":"UnknownOperationException"}');
    } else if (fate === 'passed on') {
      const answer = await passOnToStore(endpoint, request, body);
      response.writeHead(answer.status, answers).end(answer.text);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() };
}

// One after the other: they measure time, and a start takes all of a small machine.
describe('without a request', () => {
  test("a created payment's event reaches a sink without a tick", async () => {
    const store = await startHost();
    let isTicking = true;
    const { endpoint, stop } = await storeBehind(store.dynamodbEndpoint, ({ body }) =>
      isTicking || !body.includes('"IndexName":"due"') ? 'passed on' : 'held',
    );
    const host = await startHost({ env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: 'tickless' } });
    const api = apiOf(host);
    // From now on, no tick gets to know what is due.
    isTicking = false;
    const { json: sink } = await api(operations.createWebhookSink);
    await createPayment(api);
    await expect.poll(() => receivedCount(api, sink.id)).toBeGreaterThan(0);
    await host.stop();
    stop();
    await store.stop();
  });

  test('a job that comes due while the host is down runs after it is up again', async () => {
    const first = await startHost();
    const payment = await createPayment(apiOf(first));
    await apiOf(first)(operations.simulatePayment, {
      params: { id: payment.id },
      body: { payment_id: payment.id, outcome: 'succeeded', delay_seconds: 2 },
    });
    first.process.kill('SIGTERM');
    await untilDead(first);
    await sleep(2_000);

    const second = await startHost({ dir: first.dir });
    const api = apiOf(second);
    const status = async () => (await api(operations.getPayment, { params: { id: payment.id } })).json.status;
    await until(async () => (await status()) === 'succeeded', TICKS_WITHIN_MS);
    expect(await status()).toBe('succeeded');
    await second.stop();
  });

  test('a job that a move of the clock brought near comes due in time', async () => {
    const host = await startHost();
    const api = apiOf(host);
    await createPayment(api, { expires_in_minutes: 5 });
    // Near, but late enough for a slow machine to reach the next line first.
    await moveClock(api, 5 * 60 - 15);
    expect(await eventTypes(api)).not.toContain('payment.expired');
    await until(async () => (await eventTypes(api)).includes('payment.expired'), 15_000 + TICKS_WITHIN_MS);
    expect(await eventTypes(api)).toContain('payment.expired');
    await host.stop();
  });

  test('where the store has no streams, the clock alone delivers, and the host says so once', async () => {
    const store = await startHost();
    const { endpoint, stop } = await storeBehind(store.dynamodbEndpoint, ({ target }) =>
      target.startsWith('DynamoDBStreams_') ? 'unknown' : 'passed on',
    );
    const host = await startHost({ env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: 'streamless' } });
    const api = apiOf(host);
    const { json: sink } = await api(operations.createWebhookSink);
    await createPayment(api);
    await until(async () => (await receivedCount(api, sink.id)) > 0, TICKS_WITHIN_MS);
    expect(await receivedCount(api, sink.id)).toBeGreaterThan(0);
    expect(host.output().split('has no stream')).toHaveLength(2);
    await host.stop();
    stop();
    await store.stop();
  });

  test('an unavailable store stops neither clock nor stream, and each reports it once', async () => {
    const store = await startHost();
    const host = await startHost({
      env: { AWS_ENDPOINT_URL_DYNAMODB: store.dynamodbEndpoint, TABLE_NAME: 'guest' },
    });
    await store.stop();
    await until(() => host.output().includes('the clock failed'), TICKS_WITHIN_MS);
    await sleep(1_000);
    expect(host.output().split('the clock failed')).toHaveLength(2);
    expect(host.output().split("the table's stream failed")).toHaveLength(2);
    expect(host.process.exitCode).toBeNull();
    await host.stop();
    expect(host.process.exitCode).toBe(0);
  });
});
