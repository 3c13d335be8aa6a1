import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import type { AttemptRequest } from '../../../shared/domain/attempt-request.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/domain/clock.ts';
import type {
  LiveProvider,
  ProviderPaymentState,
  ProviderResult,
} from '../../../shared/providers/provider.ts';
import { stripeProvider } from '../../../shared/providers/stripe/stripe-provider.ts';
import { type StandIn, type StandInFault, startStandIn } from '../../support/stripe/stand-in.ts';
import { newAttemptRequest, newRefundRequest, sentBy } from '../../support/world/attempt-request.ts';

const BEGIN = 'POST /v1/payment_intents';
const REFUND = 'POST /v1/refunds';
/** Short, so that a test does not wait long for a response that never comes. */
const TIMEOUT_MS = 1_000;

const mock = inject('stripeMock');

let standIn: StandIn;
let provider: LiveProvider;
/** The same provider, with a longer time-out. */
let patient: LiveProvider;

beforeEach(async () => {
  standIn = await startStandIn(mock as NonNullable<typeof mock>);
  const { secretKey, webhookSecret, apiUrl } = standIn;
  provider = stripeProvider({ secretKey, webhookSecret, apiUrl, timeoutMs: TIMEOUT_MS });
  patient = stripeProvider({ secretKey, webhookSecret, apiUrl });
});
afterEach(async () => {
  vi.useRealTimers();
  await standIn.stop();
  expect(standIn.faults).toEqual([]);
});

const intents = () => [...standIn.account.intents.values()];
const refunds = () => [...standIn.account.refunds.values()];
const requestsOf = (name: string) =>
  standIn.requests.filter(({ method, path }) => `${method} ${path}` === name).length;

/** Moves the time of this process and of the stand-in. */
function pass(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

function referenceIn(answer: ProviderResult<ProviderPaymentState>): string {
  expect(answer).toMatchObject({ kind: 'done', reported: { state: 'open' } });
  return (answer as { reported: ProviderPaymentState }).reported.reference;
}

async function beginPaid(): Promise<{ request: AttemptRequest; reference: string }> {
  const request = newAttemptRequest();
  const reference = referenceIn(await patient.initiate(request));
  standIn.account.pay(reference);
  return { request, reference };
}

describe.skipIf(mock === null)('Stripe without a response', () => {
  test('or with a lost one has started one attempt after a retry', async () => {
    const lostResponses: { faults: StandInFault[]; why: string; begun: number }[] = [
      { faults: ['cut before', 'cut before'], why: 'connection', begun: 0 },
      { faults: ['cut after', 'cut after'], why: 'connection', begun: 1 },
      { faults: ['silent before'], why: 'time-out', begun: 0 },
      { faults: ['silent after'], why: 'time-out', begun: 1 },
      { faults: [{ status: 200, body: '{"id":' }], why: 'server', begun: 0 },
      { faults: [{ status: 502, body: '<html>Bad gateway</html>' }], why: 'server', begun: 0 },
    ];
    for (const [index, { faults, why, begun }] of lostResponses.entries()) {
      const request = newAttemptRequest();
      standIn.script(BEGIN, ...faults);
      const impatient = why === 'time-out' ? provider : patient;
      expect(await impatient.initiate(request), why).toEqual({ kind: 'unknown', why });
      await expect.poll(() => intents().length).toBe(index + begun);
      const found = await patient.retrieve(sentBy(request));
      expect(found).toMatchObject({ kind: 'done', reported: begun === 1 ? { state: 'open' } : null });
      const reference = referenceIn(await patient.initiate(request));
      expect(intents()).toHaveLength(index + 1);
      expect(intents()[index]).toMatchObject({ id: reference, metadata: { payment_id: request.paymentId } });
    }
  });

  test('gets one retry after a lost connection, under the same key', async () => {
    standIn.script(BEGIN, 'cut after');
    const reference = referenceIn(await patient.initiate(newAttemptRequest()));
    expect(intents().map(({ id }) => id)).toEqual([reference]);
    expect(requestsOf(BEGIN)).toBe(2);
  });

  test('that cannot be reached is an unknown outcome of the connection', async () => {
    const { secretKey, webhookSecret, apiUrl } = await startStandIn(mock as NonNullable<typeof mock>).then(
      async (gone) => {
        await gone.stop();
        return gone;
      },
    );
    const lonely = stripeProvider({ secretKey, webhookSecret, apiUrl });
    expect(await lonely.initiate(newAttemptRequest())).toEqual({ kind: 'unknown', why: 'connection' });
    expect(await lonely.verifyCredentials()).toEqual({ kind: 'unknown', why: 'connection' });
  });

  test('fails after starting an attempt: it is found at once, though its key repeats the 500', async () => {
    const request = newAttemptRequest();
    standIn.script(BEGIN, '500 after');
    const first = await patient.initiate(request);
    expect(referenceIn(first)).toBe(intents()[0]?.id);
    expect(await patient.initiate(request)).toEqual(first);
    expect(intents()).toHaveLength(1);
  });

  test('fails before starting it: the outcome is unknown for a day, then one is started', async () => {
    const request = newAttemptRequest();
    const failed = { kind: 'unknown', why: 'server' };
    standIn.script(BEGIN, '500 before');
    expect(await patient.initiate(request)).toEqual(failed);
    pass(22 * HOUR_MS);
    expect(await patient.initiate(request)).toEqual(failed);
    expect(intents()).toEqual([]);
    pass(3 * HOUR_MS);
    const reference = referenceIn(await patient.initiate(request));
    pass(2 * DAY_MS);
    expect(referenceIn(await patient.initiate(request))).toBe(reference);
    expect(intents()).toHaveLength(1);
  });

  test('forgets the key after a day: the adapter searches for the attempt before a retry', async () => {
    const request = newAttemptRequest();
    standIn.script(BEGIN, 'silent after');
    expect(await provider.initiate(request)).toEqual({ kind: 'unknown', why: 'time-out' });
    await expect.poll(() => intents().length).toBe(1);
    const [begun] = intents();
    pass(25 * HOUR_MS);
    standIn.account.pay(String(begun?.id));
    expect(await patient.initiate(request)).toMatchObject({
      kind: 'done',
      reported: { reference: begun?.id, state: 'paid' },
    });
    expect(requestsOf(BEGIN)).toBe(1);
  });

  test('cannot be searched after a day: then the adapter does not retry either', async () => {
    const request = newAttemptRequest();
    referenceIn(await patient.initiate(request));
    pass(25 * HOUR_MS);
    standIn.script('GET /v1/payment_intents', { status: 503, body: '{}' });
    expect(await patient.initiate(request)).toMatchObject({ kind: 'unknown' });
    expect(requestsOf(BEGIN)).toBe(1);
    expect(intents()).toHaveLength(1);
  });

  test('gets twenty requests at once under one key, and starts one attempt', async () => {
    const request = newAttemptRequest();
    const gate = standIn.hold(BEGIN);
    const first = patient.initiate(request);
    await Promise.race([gate.isReached, first]);
    // It is still processing the first one.
    const others = await Promise.all(Array.from({ length: 19 }, () => patient.initiate(request)));
    expect(others).toEqual(others.map(() => ({ kind: 'unknown', why: 'busy' })));
    gate.letGo();
    const begun = await first;
    const later = await Promise.all(Array.from({ length: 20 }, () => patient.initiate(request)));
    expect(later).toEqual(later.map(() => begun));
    expect(intents().map(({ id }) => id)).toEqual([referenceIn(begun)]);
  });

  test('gets another request under one key: that is our mistake, and the first one stands', async () => {
    const request = newAttemptRequest();
    const first = await patient.initiate(request);
    const changed = { ...request, amount: { currency: 'THB', minor: 200_000 } } as const;
    expect(await patient.initiate(changed)).toEqual({ kind: 'unknown', why: 'key-reused' });
    expect(await patient.retrieve(sentBy(changed))).toEqual(first);
  });

  test('is overloaded: the result has its Retry-After', async () => {
    standIn.script(BEGIN, {
      status: 429,
      headers: { 'retry-after': '7' },
      body: '{"error":{"type":"invalid_request_error","code":"rate_limit"}}',
    });
    expect(await patient.initiate(newAttemptRequest())).toEqual({
      kind: 'unknown',
      why: 'busy',
      retryAfterMs: 7_000,
    });
  });
});

describe.skipIf(mock === null)('Stripe asked again', () => {
  test('has a list of thousands of others: our attempt is found in it, or known to be absent', async () => {
    const request = newAttemptRequest();
    await standIn.addStrangers(120);
    const reference = referenceIn(await patient.initiate(request));
    await standIn.addStrangers(250);
    expect(
      referenceIn((await patient.retrieve(sentBy(request))) as ProviderResult<ProviderPaymentState>),
    ).toBe(reference);
    expect(requestsOf('GET /v1/payment_intents')).toBe(3);
    expect(await patient.retrieve(sentBy(newAttemptRequest()))).toEqual({ kind: 'done', reported: null });
    expect(requestsOf('GET /v1/payment_intents')).toBe(7);
    // Attempts of another time are not searched.
    pass(HOUR_MS);
    expect(await patient.retrieve(sentBy(newAttemptRequest()))).toEqual({ kind: 'done', reported: null });
    expect(requestsOf('GET /v1/payment_intents')).toBe(8);
  });

  test('differs from our clock by minutes, and the attempt is found', async () => {
    for (const ms of [5 * MINUTE_MS, -10 * MINUTE_MS]) {
      standIn.advance(ms);
      const request = newAttemptRequest();
      const reference = referenceIn(await patient.initiate(request));
      expect(
        referenceIn((await patient.retrieve(sentBy(request))) as ProviderResult<ProviderPaymentState>),
      ).toBe(reference);
    }
  });

  test('does not respond to a cancellation: the retry cancels the attempt', async () => {
    for (const faults of [
      ['silent before'],
      ['silent after'],
      ['500 before'],
      ['500 after'],
    ] as StandInFault[][]) {
      const request = newAttemptRequest();
      const reference = referenceIn(await patient.initiate(request));
      standIn.script(`POST /v1/payment_intents/${reference}/cancel`, ...faults);
      expect(await provider.cancel(sentBy(request, reference))).toMatchObject({ kind: 'unknown' });
      const canceled = { kind: 'done', reported: { reference, state: 'canceled' } };
      expect(await patient.cancel(sentBy(request, reference))).toEqual(canceled);
    }
  });

  test('makes one refund under one id, whatever response is lost', async () => {
    const lostResponses: { faults: StandInFault[]; made: number }[] = [
      { faults: ['cut before', 'cut before'], made: 0 },
      { faults: ['cut after', 'cut after'], made: 1 },
      { faults: ['silent before'], made: 0 },
      { faults: ['silent after'], made: 1 },
      { faults: ['500 after'], made: 1 },
    ];
    for (const [index, { faults, made }] of lostResponses.entries()) {
      const { request, reference } = await beginPaid();
      const refund = newRefundRequest(request, reference, { amount: { currency: 'THB', minor: 1_000 } });
      standIn.script(REFUND, ...faults);
      await (String(faults[0]).startsWith('silent') ? provider : patient).refund(refund);
      await expect.poll(() => refunds().length).toBe(index + made);
      const answers = await Promise.all(Array.from({ length: 5 }, () => patient.refund(refund)));
      expect(answers.some(({ kind }) => kind === 'done')).toBe(true);
      expect(refunds()).toHaveLength(index + 1);
      pass(25 * HOUR_MS);
      expect(await patient.refund(refund)).toMatchObject({
        kind: 'done',
        reported: { reference: refunds()[index]?.id },
      });
      expect(refunds()).toHaveLength(index + 1);
    }
  });

  test('fails before making a refund: the outcome is unknown for a day, then one is made', async () => {
    const { request, reference } = await beginPaid();
    const refund = newRefundRequest(request, reference);
    standIn.script(REFUND, '500 before');
    expect(await patient.refund(refund)).toEqual({ kind: 'unknown', why: 'server' });
    expect(await patient.refund(refund)).toEqual({ kind: 'unknown', why: 'server' });
    pass(25 * HOUR_MS);
    expect(await patient.refund(refund)).toMatchObject({ kind: 'done', reported: { state: 'open' } });
    expect(refunds()).toHaveLength(1);
  });

  test('rejects the API key: that is neither a refusal nor a failure', async () => {
    const request = newAttemptRequest();
    const reference = referenceIn(await patient.initiate(request));
    standIn.revokeKey();
    const denied = { kind: 'unknown', why: 'credentials' };
    expect(await patient.initiate(request)).toEqual(denied);
    expect(await patient.retrieve(sentBy(request, reference))).toEqual(denied);
    expect(await patient.cancel(sentBy(request, reference))).toEqual(denied);
  });
});
