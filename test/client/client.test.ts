import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../../shared/client/answer.ts';
import { isProblem, ProblemError } from '../../shared/client/call-error.ts';
import { createClient } from '../../shared/client/client.ts';
import { operations } from '../../shared/contract/operations.ts';
import { startEdge } from '../support/faults/flaky-edge.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

const THB_20 = { currency: 'THB', minor: 2_000 } as const;
const REQUEST_ID = /^req_[0-9a-z]{26}$/;

async function newClient() {
  const { secret } = await newKey();
  return createClient({ key: secret, baseUrl });
}

async function caught(work: PromiseLike<unknown>): Promise<ProblemError> {
  return work.then(
    () => expect.unreachable('it was answered'),
    (error: ProblemError) => error,
  );
}

describe.concurrent('the client', () => {
  test('has a method for each operation that requires a key', async () => {
    const keyed = Object.entries(operations).filter(([, row]) => row.permission !== null);
    expect(Object.keys(await newClient())).toEqual(keyed.map(([name]) => name));
  });

  test('calls every area of the service', async () => {
    const client = await newClient();
    const sink = await client.createWebhookSink({ name: 'orders' });
    const payment = await client.createPayment({ amount: THB_20, method: 'promptpay' });
    expect(await client.simulatePayment(payment.id, { outcome: 'succeeded' })).toMatchObject({
      outcome: 'succeeded',
      payment_id: payment.id,
    });
    expect(await client.getPayment(payment.id)).toMatchObject({ status: 'succeeded', amount: THB_20 });
    const refund = await client.requestRefund(payment.id, { reason: 'too small' });
    expect(await client.cancelRefund(refund.id)).toMatchObject({ id: refund.id, status: 'canceled' });
    const link = await client.createPaymentLink({ amount: { type: 'open' } });
    expect(await client.disablePaymentLink(link.id)).toMatchObject({ status: 'disabled' });
    expect(await client.updateWebhookSink(sink.id, { respond_status: 204 })).toMatchObject({
      respond_status: 204,
    });
    expect(await client.advanceClock({ seconds: 60 })).toMatchObject({ advanced_seconds: 60 });
    const [delivery] = (await client.listDeliveries(sink.id, { limit: 1 })).data;
    expect(await client.redeliver(sink.id, delivery?.id ?? '')).toMatchObject({
      event_id: delivery?.event_id,
    });
    expect(await client.purgeTestData()).toMatchObject({ status: 'completed', deleted: { payments: 1 } });
  });

  test('creates one payment per idempotency key, and marks a replay', async () => {
    const client = await newClient();
    const first = await client.createPayment({ amount: THB_20 }, { idempotencyKey: 'order-1' });
    const second = await client.createPayment({ amount: THB_20 }, { idempotencyKey: 'order-1' });
    expect(second).toEqual(first);
    expect(answerOf(first)).toMatchObject({ replayed: false, status: 201, idempotencyKey: 'order-1' });
    expect(answerOf(second).replayed).toBe(true);
    expect(answerOf(second).requestId).not.toBe(answerOf(first).requestId);
  });

  test('keeps the metadata of a response, such as its headers, beside its body', async () => {
    const client = await newClient();
    const payment = await client.createPayment({ amount: THB_20 });
    const { requestId, clock, version, headers, attempts } = answerOf(payment);
    expect(requestId).toMatch(REQUEST_ID);
    expect(Math.abs(Date.parse(clock ?? '') - Date.now())).toBeLessThan(60_000);
    expect(version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(headers.get('content-type')).toBe('application/json');
    expect(attempts).toBe(1);
    expect(() => answerOf({ ...payment })).toThrow(TypeError);
    const page = await client.listPayments();
    expect(answerOf(page).requestId).toMatch(REQUEST_ID);
  });

  test('sends the version that it is created with', async () => {
    const { secret: key } = await newKey();
    const client = createClient({ key, baseUrl, version: 'soon' });
    expect(await caught(client.listPayments())).toMatchObject({ code: 'version_invalid' });
  });

  test('takes a base URL with a path and a slash at its end', async () => {
    const { secret: key } = await newKey();
    await using edge = await startEdge(baseUrl, [{ status: 404 }]);
    await caught(createClient({ key, baseUrl: `${edge.baseUrl}/stage/` }).getClock());
    expect(edge.seen[0]?.url).toBe('/stage/api/v1/test/clock');
  });

  test('sends ids as one segment of the path, whatever is in them', async () => {
    const { secret: key } = await newKey();
    await using edge = await startEdge(baseUrl, []);
    const client = createClient({ key, baseUrl: edge.baseUrl });
    expect(await caught(client.getPayment('../refunds/x?a=b#c'))).toMatchObject({
      code: 'payment_not_found',
    });
    expect(edge.seen[0]?.url).toBe('/api/v1/payments/..%2Frefunds%2Fx%3Fa%3Db%23c');
    for (const id of ['', '.', '..']) {
      await expect(client.getPayment(id)).rejects.toThrow(TypeError);
    }
    await expect(client.redeliver('snk_1', undefined as never)).rejects.toThrow(TypeError);
    expect(edge.seen).toHaveLength(1);
  });

  test('sends through the fetch that it is given', async () => {
    const { secret: key } = await newKey();
    const urls: string[] = [];
    const client = createClient({
      key,
      baseUrl,
      fetch: (url, init) => {
        urls.push(String(url));
        return fetch(url, init);
      },
    });
    await client.listPayments({ limit: 3, status: 'succeeded' });
    expect(urls).toEqual([`${baseUrl}/api/v1/payments?limit=3&status=succeeded`]);
  });
});

describe.concurrent('a problem', () => {
  test('has its code, status, details and request id', async () => {
    const client = await newClient();
    const payment = await client.createPayment({ amount: THB_20 });
    await client.cancelPayment(payment.id);
    const error = await caught(client.cancelPayment(payment.id));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      name: 'ProblemError',
      code: 'invalid_state',
      status: 409,
      details: { current_status: 'canceled' },
      errors: [],
      operation: 'cancelPayment',
      requestId: expect.stringMatching(REQUEST_ID),
      type: `${baseUrl}/errors/invalid_state`,
    });
    expect(error.message).toBe(`cancelPayment: ${error.title} (invalid_state). ${error.detail}`);
    expect(isProblem(error, 'invalid_state', 'clock_busy')).toBe(true);
    expect(isProblem(error, 'clock_busy')).toBe(false);
    expect(isProblem(error)).toBe(true);
    expect(isProblem(new Error('x'))).toBe(false);
  });

  test('names every field that is not valid', async () => {
    const client = await newClient();
    const error = await caught(
      client.createPayment({ amount: { currency: 'THB', minor: 0 }, reference: '', expires_in_minutes: 0 }),
    );
    expect(error.errors.map(({ field, code }) => `${field} ${code}`).toSorted()).toEqual([
      'amount.minor min',
      'expires_in_minutes min',
      'reference too_short',
    ]);
    for (const { field, message } of error.errors) {
      expect(error.message).toContain(`${field} ${message}`);
    }
  });

  test('never contains the key, nor does any other printed value', { tags: 'slow' }, async () => {
    const { secret: key } = await newKey({ permissions: [] });
    const client = createClient({ key, baseUrl });
    const lost = createClient({ key, baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
    const shown = [
      client,
      await caught(client.listPayments()),
      await caught(lost.listPayments()),
      await caught(client.getPayment('pay_1', { timeoutMs: 0 })),
    ];
    for (const thing of shown) {
      expect(inspect(thing, { depth: 20, showHidden: true })).not.toContain(key.slice(8));
      expect(JSON.stringify(thing)).not.toContain(key.slice(8));
    }
  });

  test.each(['', 'pg_test_a b', 'pg_test_a\n', 'pg_test_é'])(
    'reports an impossible API key without repeating it: %j',
    (key) => {
      expect(() => createClient({ key, baseUrl })).toThrow(/^createClient takes an API key: a text without/);
    },
  );

  test.each([
    ['', '""'],
    ['example.com', '"example.com"'],
    ['ftp://example.com', '"ftp://example.com"'],
    ['https://me:secret@example.com', '"https://…@example.com"'],
    ['https://example.com/?a=secret', '"https://example.com/?…"'],
    ['pg_test_secret', '"pg_…"'],
    ['https:example.com', '"https:example.com"'],
    ['https:///example.com', '"https:///example.com"'],
    [' https://example.com', '" https://example.com"'],
    ['https://exam\nple.com', '"https://exam\\nple.com"'],
    ['https:\\\\example.com', '"https:\\\\\\\\example.com"'],
    ['https://example.com\\api', '"https://example.com\\\\api"'],
    [undefined as never, 'undefined'],
  ])('shows an impossible base URL as it was given, without secrets: %j', (url, shown) => {
    expect(() => createClient({ key: 'pg_test_x', baseUrl: url })).toThrow(
      `createClient takes a base URL: http(s), without credentials and query. It was given ${shown}.`,
    );
  });
});
