import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { requestStripe } from '../../../shared/providers/stripe/stripe-api.ts';
import { inTrace } from '../../../shared/telemetry/spans.ts';
import { type MerchantResponse, startMerchantServer } from '../../support/world/merchant-server.ts';
import { newTraceparent } from '../../support/world/traceparents.ts';

const SECRET = 'sk_test_verysecret';
const schema = v.object({ id: v.string() });

/** The adapter's result for a response; without one, for its deadline, which comes once the request is sent. */
async function requestOf(sent: MerchantResponse | null) {
  const deadline = new AbortController();
  const server = await startMerchantServer({
    answer: () => {
      if (sent === null) {
        deadline.abort();
      }
      return sent;
    },
  });
  try {
    const access = { secretKey: SECRET, apiUrl: new URL(server.url).origin };
    const request = { path: 'account', form: {}, deadline: deadline.signal };
    return { answer: await requestStripe(access, schema, request), received: server.received };
  } finally {
    await server.stop();
  }
}

function errorBody(error: object): string {
  return JSON.stringify({ error: { message: `Invalid: ${SECRET}`, ...error } });
}

const INVALID = { type: 'invalid_request_error' };

describe('a response of Stripe', () => {
  test.each<[string, MerchantResponse, object]>([
    [
      'has the expected fields',
      { status: 200, body: '{"id":"acct_1","more":1}' },
      { kind: 'done', reported: { id: 'acct_1' } },
    ],
    ['lacks an expected field', { status: 200, body: '{"identity":1}' }, { kind: 'unknown', why: 'server' }],
    ['is no JSON', { status: 200, body: '<html>' }, { kind: 'unknown', why: 'server' }],
    ['is empty', { status: 200 }, { kind: 'unknown', why: 'server' }],
    ['is a redirect', { status: 302, body: '{"id":"acct_1"}' }, { kind: 'unknown', why: 'server' }],
    [
      'refuses the request',
      { status: 400, body: errorBody({ ...INVALID, code: 'amount_too_small' }) },
      { kind: 'refused', code: 'amount_too_small' },
    ],
    [
      'refuses without a code',
      { status: 400, body: errorBody(INVALID) },
      { kind: 'refused', code: 'invalid_request_error' },
    ],
    [
      'refuses with a code that is a text',
      { status: 400, body: errorBody({ ...INVALID, code: `No such key: ${SECRET}` }) },
      { kind: 'refused', code: 'invalid_request_error' },
    ],
    [
      'declines',
      {
        status: 402,
        body: errorBody({ type: 'card_error', code: 'card_declined', decline_code: 'fraudulent' }),
      },
      { kind: 'refused', code: 'fraudulent' },
    ],
    [
      'misses something',
      { status: 404, body: errorBody({ ...INVALID, code: 'resource_missing' }) },
      { kind: 'refused', code: 'resource_missing' },
    ],
    ['is a refusal that says nothing', { status: 400, body: '{}' }, { kind: 'unknown', why: 'server' }],
    [
      'is an error of theirs with a wrong status',
      { status: 400, body: errorBody({ type: 'api_error' }) },
      { kind: 'unknown', why: 'server' },
    ],
    [
      'does not take the key',
      { status: 401, body: errorBody(INVALID) },
      { kind: 'unknown', why: 'credentials' },
    ],
    [
      'does not let the key do it',
      { status: 403, body: errorBody(INVALID) },
      { kind: 'unknown', why: 'credentials' },
    ],
    [
      'takes the key for another request’s',
      { status: 400, body: errorBody({ type: 'idempotency_error' }) },
      { kind: 'unknown', why: 'key-reused' },
    ],
    [
      'waits for the same request',
      { status: 409, body: errorBody({ ...INVALID, code: 'idempotency_key_in_use' }) },
      { kind: 'unknown', why: 'busy' },
    ],
    [
      'waits for a lock',
      { status: 429, body: errorBody({ ...INVALID, code: 'lock_timeout' }) },
      { kind: 'unknown', why: 'busy' },
    ],
    [
      'has a Retry-After',
      { status: 429, headers: { 'retry-after': '30' }, body: errorBody(INVALID) },
      { kind: 'unknown', why: 'busy', retryAfterMs: 30_000 },
    ],
    [
      'is not available',
      { status: 503, headers: { 'retry-after': '30' }, body: 'down' },
      { kind: 'unknown', why: 'server', retryAfterMs: 30_000 },
    ],
    [
      'fails, though it calls that a refusal',
      { status: 500, body: errorBody(INVALID) },
      { kind: 'unknown', why: 'server' },
    ],
    [
      'fails for an upstream dependency',
      { status: 424, body: errorBody({ type: 'api_error' }) },
      { kind: 'unknown', why: 'server' },
    ],
  ])('that %s', async (_, sent, answer) => {
    const sentRequest = await requestOf(sent);
    expect(sentRequest.answer).toEqual(answer);
    expect(JSON.stringify(sentRequest.answer)).not.toContain(SECRET);
    expect(sentRequest.received).toHaveLength(1);
  });

  test('that is larger than any expected one is not read', async () => {
    const body = JSON.stringify({ id: 'x'.repeat(3 * 1_024 * 1_024) });
    expect((await requestOf({ status: 200, body })).answer).toEqual({ kind: 'unknown', why: 'server' });
  });

  test('that does not come is waited for until the deadline, and no longer', async () => {
    const { answer, received } = await requestOf(null);
    expect(answer).toEqual({ kind: 'unknown', why: 'time-out' });
    expect(received).toHaveLength(1);
  });
});

test('a call names the trace under way, and a span of its own', async () => {
  const { traceId, spanId } = newTraceparent();
  const trace = { traceId, spanId, traceFlags: 1 };
  const { received } = await inTrace(trace, () => requestOf({ status: 200, body: '{"id":"acct_1"}' }));
  const { traceparent } = received[0]?.headers ?? {};
  expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  expect(traceparent).not.toContain(spanId);
});

test('a key that no header can carry is never sent', async () => {
  const access = { secretKey: `${SECRET}\n`, apiUrl: 'http://127.0.0.1:1' };
  const answer = await requestStripe(access, schema, {
    path: 'account',
    deadline: new AbortController().signal,
  });
  expect(answer).toEqual({ kind: 'unknown', why: 'connection' });
});
