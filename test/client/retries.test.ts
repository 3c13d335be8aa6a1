import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { answerOf } from '../../shared/client/answer.ts';
import { ConnectionError, ProblemError } from '../../shared/client/call-error.ts';
import { type ClientOptions, createClient } from '../../shared/client/client.ts';
import { type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';
import { type EdgeAnswer, type Fate, startEdge } from '../support/faults/flaky-edge.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const order = { amount: { currency: 'THB', minor: 129_900 }, method: 'promptpay' } as const;

function problem(code: ErrorCode, retryAfterSeconds: number | null = null): EdgeAnswer {
  const { status, title } = entryOf(code);
  return {
    status,
    headers: retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) },
    body: { code, status, title, detail: 'Wait.' },
  };
}

/** A client whose requests meet these faults, and one without faults. */
async function startClient(fates: readonly Fate[], options: Partial<ClientOptions> = {}) {
  const { secret: key } = await newKey();
  const edge = await startEdge(baseUrl, fates);
  return {
    edge,
    key,
    client: createClient({ key, baseUrl: edge.baseUrl, ...options }),
    direct: createClient({ key, baseUrl }),
    [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose](),
  };
}

async function caught(work: PromiseLike<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('it was answered'),
    (error: unknown) => error,
  );
}

describe.concurrent('a call that is sent again', () => {
  test.each<[string, Fate]>([
    ['a connection that breaks before the service has heard', 'lost request'],
    ['an answer that is lost after the service has done it', 'lost answer'],
    ['a 503', problem('temporarily_unavailable')],
    ['a 500', problem('internal_error')],
    ['a 429', problem('rate_limited')],
    ['a gateway that answers 502 in its own words', { status: 502 }],
  ])('makes one payment in spite of %s, with the same key and body', { tags: 'slow' }, async (_, fate) => {
    await using at = await startClient([fate, fate]);
    const payment = await at.client.createPayment(order);
    const [first, ...others] = at.edge.seen;
    expect(others).toHaveLength(2);
    expect(first?.key).toMatch(UUID_V7);
    expect(others).toMatchObject([
      { key: first?.key, body: first?.body, method: 'POST', url: '/api/v1/payments' },
      { key: first?.key, body: first?.body, method: 'POST', url: '/api/v1/payments' },
    ]);
    expect(answerOf(payment)).toMatchObject({
      attempts: 3,
      idempotencyKey: first?.key,
      replayed: fate === 'lost answer',
    });
    expect((await at.direct.listPayments()).data.map(({ id }) => id)).toEqual([payment.id]);
    const again = await at.direct.createPayment(order, { idempotencyKey: first?.key ?? '' });
    expect(again).toEqual(payment);
    expect(answerOf(again).replayed).toBe(true);
  });

  test('retries after a time-out and gets the response of its first attempt', { tags: 'slow' }, async () => {
    await using at = await startClient(['silence', 'lost answer'], { timeoutMs: 100_000 });
    const payment = await at.client.createPayment(order, { timeoutMs: 4_000 });
    expect(answerOf(payment).replayed).toBe(true);
    expect(answerOf(payment).attempts).toBeGreaterThanOrEqual(3);
    expect((await at.direct.listPayments()).data).toHaveLength(1);
  });

  test('waits for the running first request with its key longer than it retries failures', {
    tags: 'slow',
  }, async () => {
    const busy = problem('idempotency_in_progress', 0);
    await using at = await startClient(
      Array.from({ length: 7 }, () => busy),
      { maxRetries: 2 },
    );
    const payment = await at.client.createPayment(order);
    expect(answerOf(payment).attempts).toBe(8);
    expect(new Set(at.edge.seen.map(({ key }) => key)).size).toBe(1);
  });

  test('waits as long as Retry-After says', { tags: 'slow' }, async () => {
    await using at = await startClient([problem('temporarily_unavailable', 1)]);
    await at.client.createPayment(order);
    const [first, second] = at.edge.seen;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test('gives up at once where Retry-After is longer than a minute', async () => {
    await using at = await startClient([problem('rate_limited', 61)]);
    expect(await caught(at.client.createPayment(order))).toMatchObject({ code: 'rate_limited', attempts: 1 });
  });

  test('waits longer after each failure, with jitter', { tags: 'slow' }, async () => {
    const runs = [1, 2].map(async () => {
      await using at = await startClient(['lost request', 'lost request', 'lost request']);
      await at.client.getClock();
      return at.edge.seen.slice(1).map(({ atMs }, index) => atMs - (at.edge.seen[index]?.atMs ?? 0));
    });
    const [one = [], other = []] = await Promise.all(runs);
    // 125 to 250, 250 to 500, 500 to 1,000 ms, and the time of the requests.
    for (const pauses of [one, other]) {
      expect(pauses[0]).toBeGreaterThanOrEqual(124);
      expect(pauses[1]).toBeGreaterThanOrEqual(249);
      expect(pauses[2]).toBeGreaterThanOrEqual(499);
    }
    expect(one).not.toEqual(other);
  });

  test('retries a read as it retries a write, without a key', { tags: 'slow' }, async () => {
    await using at = await startClient(['lost answer', { status: 504 }]);
    expect((await at.client.getClock()).offset_seconds).toBe(0);
    expect(at.edge.seen).toMatchObject([{ key: undefined }, { key: undefined }, { key: undefined }]);
  });

  test('ends after the allowed number of retries, with the error of the last one', {
    tags: 'slow',
  }, async () => {
    const fates = Array.from({ length: 9 }, () => problem('temporarily_unavailable'));
    await using at = await startClient(fates, { maxRetries: 2 });
    const error = await caught(at.client.createPayment(order));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'temporarily_unavailable', status: 503, attempts: 3 });
    expect(at.edge.seen).toHaveLength(3);
  });

  test('is sent only once where maxRetries is 0', { tags: 'slow' }, async () => {
    await using at = await startClient(['lost answer'], { maxRetries: 0 });
    const error = await caught(at.client.createPayment(order));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ reason: 'unreachable', status: null, attempts: 1 });
    // A request with the key of the error finds the outcome.
    const { idempotencyKey } = error as ConnectionError;
    const payment = await at.client.createPayment(order, { idempotencyKey: idempotencyKey ?? '' });
    expect(answerOf(payment).replayed).toBe(true);
  });
});

describe.concurrent('a call that is not sent again', () => {
  test.each<[ErrorCode]>([
    ['validation_failed'],
    ['invalid_state'],
    ['permission_denied'],
    ['idempotency_key_reused'],
    ['api_key_invalid'],
    ['clock_busy'],
  ])('is one that was refused: %s', async (code) => {
    await using at = await startClient([problem(code)]);
    expect(await caught(at.client.createPayment(order))).toMatchObject({ code, attempts: 1 });
    expect(at.edge.seen).toHaveLength(1);
  });

  test.each([200, 302, 404])('is one to which another server responded with %i', async (status) => {
    await using at = await startClient([{ status, headers: { Location: 'http://127.0.0.1:1/' } }]);
    const error = await caught(at.client.createPayment(order));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ reason: 'not_the_service', status, attempts: 1 });
    expect(at.edge.seen).toHaveLength(1);
  });

  test.each(['gzip', 'deflate', 'br'])('is one whose response is not in %s, as it says', async (encoding) => {
    await using at = await startClient([{ status: 200, headers: { 'Content-Encoding': encoding } }]);
    expect(await caught(at.client.createPayment(order))).toMatchObject({
      reason: 'unreadable',
      status: 200,
      attempts: 1,
      message: expect.stringContaining('not in the Content-Encoding that it names'),
    });
    expect(at.edge.seen).toHaveLength(1);
  });

  test('is one that was aborted while it waited for a response', async ({ expect }) => {
    await using at = await startClient(['silence']);
    const end = new AbortController();
    const call = caught(at.client.createPayment(order, { signal: end.signal }));
    await expect.poll(() => at.edge.seen.length).toBe(1);
    end.abort(new Error('enough'));
    expect(await call).toMatchObject({ message: 'enough' });
    expect(at.edge.seen).toHaveLength(1);
  });

  test('is one that was aborted before it began', async () => {
    await using at = await startClient([]);
    const call = caught(at.client.createPayment(order, { signal: AbortSignal.abort() }));
    expect(await call).toMatchObject({ name: 'AbortError' });
    expect(at.edge.seen).toHaveLength(0);
  });
});

test('a call that was aborted during a pause does not wait for its end', async () => {
  await using at = await startClient([problem('rate_limited', 50)]);
  // A pause that nothing but the test can end.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const end = new AbortController();
  const listens = vi.spyOn(end.signal, 'addEventListener');
  const call = caught(at.client.getClock({ signal: end.signal }));
  await expect.poll(() => listens.mock.calls.length).toBe(1);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  end.abort();
  expect(await call).toMatchObject({ name: 'AbortError' });
  expect(at.edge.seen).toHaveLength(1);
});
