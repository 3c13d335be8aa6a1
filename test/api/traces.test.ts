import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { moveClock } from '../support/world/resources.ts';
import { INVALID_TRACEPARENTS, newTraceparent } from '../support/world/traceparents.ts';

const PAYMENT = { amount: { currency: 'THB', minor: 12_900 }, expires_in_minutes: 15 };
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/;

/** A merchant with a sink that gets every event. */
async function newShop() {
  const { api } = await newMerchant();
  const { json: sink } = await api(operations.createWebhookSink, { body: {} });
  return { api, sink };
}

async function createTraced(api: Client, headers: Readonly<Record<string, string>>) {
  const { status, json, headers: answered } = await api(operations.createPayment, { body: PAYMENT, headers });
  expect(status).toBe(201);
  return { ...json, requestId: String(answered.get('x-request-id')) };
}

/** The attempts to deliver the events of a resource, oldest first, with the parts of the trace that each was sent with. */
async function attemptsOf(api: Client, resourceId: string) {
  const { data } = (await api(operations.listEvents, { query: { resource_id: resourceId } })).json;
  const attempts = await Promise.all(
    data.map(async ({ id, type }) => {
      const { json } = await api(operations.listEventDeliveries, { params: { id } });
      return json.data.map((one) => ({ type, ...one }));
    }),
  );
  return attempts.flat().toReversed().map(withTrace);
}

function withTrace<Attempt extends { readonly request_headers: Readonly<Record<string, string>> }>(
  attempt: Attempt,
) {
  const { traceparent = '', tracestate } = attempt.request_headers;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  return { ...attempt, traceId, spanId, flags, tracestate };
}

async function loggedTraceOf(api: Client, requestId: string) {
  const { data } = (await api(operations.listRequests)).json;
  return data.find(({ id }) => id === requestId)?.trace_id;
}

describe('the trace of a request', () => {
  test('goes on with each delivery of its events, under a span of its own', async () => {
    const { api } = await newShop();
    const { traceId, spanId, traceparent } = newTraceparent();
    const { id, requestId } = await createTraced(api, { traceparent });
    await moveClock(api, 60);
    const attempts = await attemptsOf(api, id);
    expect(attempts.map((one) => [one.traceId, one.flags])).toEqual([[traceId, '01']]);
    expect(attempts.map((one) => one.spanId)).not.toContain(spanId);
    expect(await loggedTraceOf(api, requestId)).toBe(traceId);
  });

  test('goes on with each attempt after the first one failed', async () => {
    const { api, sink } = await newShop();
    const body = { fail_count: 2, respond_status: 503 };
    await api(operations.updateWebhookSink, { params: { id: sink.id }, body });
    const { traceId, traceparent } = newTraceparent('00');
    const { id } = await createTraced(api, { traceparent, tracestate: 'congo=t61rcWkgMzE' });
    await moveClock(api, 600);
    const attempts = await attemptsOf(api, id);
    expect(attempts.map((one) => [one.attempt, one.answered_status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
    ]);
    expect(attempts.map((one) => [one.traceId, one.flags, one.tracestate])).toEqual(
      attempts.map(() => [traceId, '00', 'congo=t61rcWkgMzE']),
    );
    expect(new Set(attempts.map((one) => one.spanId)).size).toBe(3);
  });

  test('goes on with what its jobs do: the expiry of a payment has the trace of its creation', async () => {
    const { api } = await newShop();
    const [first, second] = [newTraceparent(), newTraceparent()];
    const one = await createTraced(api, { traceparent: first.traceparent, tracestate: 'rojo=1' });
    const other = await createTraced(api, { traceparent: second.traceparent });
    await moveClock(api, 3_600);
    const expired = async (id: string) =>
      (await attemptsOf(api, id)).filter(({ type }) => type === 'payment.expired');
    expect(await expired(one.id)).toMatchObject([{ traceId: first.traceId, tracestate: 'rojo=1' }]);
    expect(await expired(other.id)).toMatchObject([{ traceId: second.traceId, tracestate: undefined }]);
  });

  test('is that of the request which simulates an outcome, even later', async () => {
    const { api } = await newShop();
    const [created, simulated] = [newTraceparent(), newTraceparent()];
    const { id } = await createTraced(api, { traceparent: created.traceparent });
    await api(operations.simulatePayment, {
      params: { id },
      body: { outcome: 'succeeded', delay_seconds: 30 },
      headers: { traceparent: simulated.traceparent },
    });
    await moveClock(api, 60);
    const traces = Object.fromEntries((await attemptsOf(api, id)).map((one) => [one.type, one.traceId]));
    expect(traces).toMatchObject({
      'payment.created': created.traceId,
      'payment.succeeded': simulated.traceId,
    });
  });

  test('is, of what is sent again, that of the request which asked for it', async () => {
    const { api, sink } = await newShop();
    const [created, again] = [newTraceparent(), newTraceparent()];
    const { id } = await createTraced(api, { traceparent: created.traceparent });
    await moveClock(api, 60);
    const [{ id: deliveryId } = { id: '' }] = await attemptsOf(api, id);
    await api(operations.redeliver, {
      params: { id: sink.id, delivery_id: deliveryId },
      headers: { traceparent: again.traceparent },
    });
    await moveClock(api, 60);
    const sent = (await attemptsOf(api, id)).map((one) => one.traceId);
    expect(sent).toEqual([created.traceId, again.traceId]);
  });
});

describe('a request without a valid trace', () => {
  test('begins one, which it goes on with and is logged with', async () => {
    const { api } = await newShop();
    const { id, requestId } = await createTraced(api, {});
    await moveClock(api, 60);
    const [attempt] = await attemptsOf(api, id);
    expect(attempt?.traceId).toBe(await loggedTraceOf(api, requestId));
  });

  test('is answered as any other where the trace is invalid, and begins one', async () => {
    const { api } = await newShop();
    for (const traceparent of INVALID_TRACEPARENTS) {
      const { requestId } = await createTraced(api, { traceparent, tracestate: 'rojo=1' });
      const traceId = String(await loggedTraceOf(api, requestId));
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(traceparent.toLowerCase()).not.toContain(traceId);
    }
  });
});

describe('the state of a trace', () => {
  test.each([
    ['of 512 characters goes on', `a=${'x'.repeat(253)},b=${'y'.repeat(254)}`, true],
    ['of 513 characters is left out', `a=${'x'.repeat(254)},b=${'y'.repeat(254)}`, false],
    ['that is invalid is left out', 'Rojo', false],
  ])('%s', { tags: 'slow' }, async (_what, tracestate, goesOn) => {
    const { api } = await newShop();
    const { traceId, traceparent } = newTraceparent();
    const { id } = await createTraced(api, { traceparent, tracestate });
    await moveClock(api, 60);
    expect(await attemptsOf(api, id)).toMatchObject([
      { traceId, tracestate: goesOn ? tracestate : undefined },
    ]);
  });
});
