import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { METHODS } from '../../shared/domain/payment-method.ts';
import type { LiveProvider, Provider, ProviderResult } from '../../shared/providers/provider.ts';
import { simulatedProvider } from '../../shared/providers/simulated/simulated-provider.ts';
import { STRIPE } from '../../shared/providers/stripe/stripe-provider.ts';
import { startStandIn } from '../support/stripe/stand-in.ts';
import { newAttemptRequest, newRefundRequest, sentBy } from '../support/world/attempt-request.ts';

/** A provider to try. */
interface Stand<P extends Provider> {
  readonly provider: P;
  stop(): Promise<void>;
}

interface LiveStand extends Stand<LiveProvider> {
  /** Credentials that the provider never gave. */
  readonly stranger: LiveProvider;
  readonly webhookSecret: string;
  /** The actions of payers and banks, by the provider's reference; null where only a person at a screen can act. */
  readonly world: {
    pay(reference: string, minor?: number): void;
    process(reference: string): void;
    fail(reference: string): void;
    payBack(reference: string): void;
    refuseRefund(reference: string): void;
  } | null;
}

const UNASKED_WEBHOOK_SECRET = 'whsec_nobodyhassentanythingbythis';
/** A key of Stripe's test mode: see run-in-sandbox.ts. */
const sandboxKey = process.env.STRIPE_SANDBOX_KEY;

async function startStripeHere(): Promise<LiveStand> {
  const mock = inject('stripeMock');
  if (mock === null) {
    throw new Error('There is no stripe-mock.');
  }
  const standIn = await startStandIn(mock);
  const { account, apiUrl, secretKey, webhookSecret } = standIn;
  const connect = (secret_key: string) =>
    STRIPE.connect({ secret_key, webhook_secret: webhookSecret }, apiUrl);
  return {
    provider: connect(secretKey),
    stranger: connect('sk_test_stranger'),
    webhookSecret,
    world: {
      pay: (reference, minor) => account.pay(reference, minor),
      process: (reference) => account.process(reference),
      fail: (reference) => account.fail(reference),
      payBack: (reference) => account.payBack(reference),
      refuseRefund: (reference) => account.failRefund(reference),
    },
    stop: async () => {
      await standIn.stop();
      expect(standIn.faults).toEqual([]);
    },
  };
}

async function startSandbox(): Promise<LiveStand> {
  const webhook_secret = UNASKED_WEBHOOK_SECRET;
  const connect = (secret_key: string) =>
    STRIPE.connect({ secret_key, webhook_secret }, process.env.STRIPE_API_URL);
  return {
    provider: connect(String(sandboxKey)),
    stranger: connect('sk_test_stranger'),
    webhookSecret: webhook_secret,
    world: null,
    stop: async () => {},
  };
}

const LIVE_STANDS = [
  {
    name: 'Stripe, on a stand-in',
    start: startStripeHere,
    isThere: inject('stripeMock') !== null,
    isPlayed: true,
  },
  { name: "Stripe's sandbox", start: startSandbox, isThere: sandboxKey !== undefined, isPlayed: false },
].filter(({ isPlayed, isThere }) => isPlayed || isThere);

const STANDS: { name: string; isThere: boolean; start(): Promise<Stand<Provider>> }[] = [
  {
    name: 'the simulator',
    isThere: true,
    start: async () => ({ provider: simulatedProvider, stop: async () => {} }),
  },
  ...LIVE_STANDS,
];

function factOf<Fact>(answer: ProviderResult<Fact>): NonNullable<Fact> {
  expect(answer).toMatchObject({ kind: 'done', reported: expect.anything() });
  return (answer as { reported: NonNullable<Fact> }).reported;
}

describe.each(STANDS)('$name', ({ isThere, start }) => {
  describe.skipIf(!isThere)('as every provider', () => {
    let stand: Stand<Provider>;
    beforeAll(async () => {
      stand = await start();
    });
    afterAll(() => stand?.stop());

    test("starts an attempt by each of its methods, with that method's next action", async () => {
      const { methods } = stand.provider;
      expect(methods.size).toBeGreaterThan(0);
      for (const method of methods.keys()) {
        const reported = factOf(await stand.provider.initiate(newAttemptRequest({ method })));
        expect(reported).toMatchObject({ state: 'open', nextAction: { type: METHODS[method].action } });
        expect(reported.reference).not.toBe('');
      }
    });

    test('starts one attempt for repeated requests', async () => {
      const request = newAttemptRequest();
      const first = await stand.provider.initiate(request);
      expect(factOf(first).state).toBe('open');
      // A retry may have got another number, and from a link a later expiry.
      const again = { ...request, number: 'P-000002', expiresAtMs: request.expiresAtMs + 1 };
      expect(await stand.provider.initiate(again)).toEqual(first);
    });

    test('starts another attempt for another attempt id of the same payment', async () => {
      const request = newAttemptRequest();
      const other = { ...request, attemptId: newAttemptRequest().attemptId };
      const references = [await stand.provider.initiate(request), await stand.provider.initiate(other)].map(
        (answer) => factOf(answer).reference,
      );
      expect(new Set(references).size).toBe(2);
    });

    test('stops an attempt, and reports the same when repeated', async () => {
      const request = newAttemptRequest();
      const { reference } = factOf(await stand.provider.initiate(request));
      for (let nth = 0; nth < 2; nth += 1) {
        const answer = await stand.provider.cancel(sentBy(request, reference));
        expect(answer).toEqual({ kind: 'done', reported: { reference, state: 'canceled' } });
      }
    });

    test('states the input that each method requires, and how its refunds work', async () => {
      for (const { requires, refund } of stand.provider.methods.values()) {
        expect(['customer.email', undefined]).toContain(requires[0]);
        expect(['direct', 'by-email', null]).toContain(refund);
      }
    });
  });
});

test('the simulator makes one refund for repeated requests', async () => {
  const request = newRefundRequest(newAttemptRequest(), 'sim_att');
  const first = await simulatedProvider.refund(request);
  expect(factOf(first).state).toBe('processing');
  expect(await simulatedProvider.refund(request)).toEqual(first);
});

describe.each(LIVE_STANDS)('$name', ({ isThere, isPlayed, start }) => {
  describe.skipIf(!isThere)('as a provider of the live world', () => {
    let stand: LiveStand;
    beforeAll(async () => {
      stand = await start();
    });
    afterAll(() => stand?.stop());

    async function initiate(more = {}) {
      const request = newAttemptRequest(more);
      return { request, ...factOf(await stand.provider.initiate(request)) };
    }

    test('verifies its credentials by a read, and returns their account', async () => {
      expect(factOf(await stand.provider.verifyCredentials())).toEqual({
        reference: expect.any(String),
        isTest: true,
      });
    });

    test('rejects unknown credentials, and that is never a refusal', async () => {
      const denied = { kind: 'unknown', why: 'credentials' };
      const request = newAttemptRequest();
      expect(await stand.stranger.verifyCredentials()).toEqual(denied);
      expect(await stand.stranger.initiate(request)).toEqual(denied);
      expect(await stand.stranger.retrieve(sentBy(request))).toEqual(denied);
      expect(await stand.stranger.cancel(sentBy(request, 'pi_1'))).toEqual(denied);
      expect(await stand.stranger.refund(newRefundRequest(request, 'pi_1'))).toEqual(denied);
    });

    test('refuses by a code what it cannot do, and nothing is there', async () => {
      const { provider } = stand;
      const tooSmall = newAttemptRequest({ amount: { currency: 'THB', minor: 1 } });
      expect(await provider.initiate(tooSmall)).toEqual({ kind: 'refused', code: 'amount_too_small' });
      const anonymous = newAttemptRequest({ email: null });
      expect(await provider.initiate(anonymous)).toMatchObject({ kind: 'refused', code: expect.any(String) });
      const other = newAttemptRequest({ method: 'linepay' });
      expect(await provider.initiate(other)).toEqual({ kind: 'refused', code: 'method_unavailable' });
    });

    test('finds an attempt by its reference and by our ids, as it started', async () => {
      const { request, ...reported } = await initiate();
      for (const reference of [reported.reference, null]) {
        expect(await stand.provider.retrieve(sentBy(request, reference))).toEqual({ kind: 'done', reported });
      }
    });

    test('finds nothing, and stops nothing, without an attempt', async () => {
      await initiate();
      const sent = sentBy(newAttemptRequest());
      expect(await stand.provider.retrieve(sent)).toEqual({ kind: 'done', reported: null });
      expect(await stand.provider.cancel(sent)).toEqual({ kind: 'done', reported: null });
    });

    test('stops an attempt whose reference is unknown to us', async () => {
      const { request, reference } = await initiate();
      const canceled = { kind: 'done', reported: { reference, state: 'canceled' } };
      expect(await stand.provider.cancel(sentBy(request))).toEqual(canceled);
      expect(await stand.provider.retrieve(sentBy(request))).toEqual(canceled);
    });

    test('does not take the attempt of another payment for this one', async () => {
      const { reference } = await initiate();
      expect(await stand.provider.retrieve(sentBy(newAttemptRequest(), reference))).toMatchObject({
        kind: 'unknown',
      });
    });

    test('does not treat an unknown reference as an attempt that was never started', async () => {
      const sent = sentBy(newAttemptRequest(), 'pi_ofanotheraccount');
      expect(await stand.provider.retrieve(sent)).toEqual({ kind: 'unknown', why: 'credentials' });
    });

    describe.skipIf(!isPlayed)('with payers and banks', () => {
      async function beginPaid(more = {}) {
        const begun = await initiate(more);
        stand.world?.pay(begun.reference);
        return begun;
      }

      test.each([
        ['the requested amount', 129_900],
        ['another amount', 129_901],
      ])('says what was paid: %s', async (_, minor) => {
        const { request, reference } = await initiate();
        stand.world?.pay(reference, minor);
        const reported = { reference, state: 'paid', received: { currency: 'THB', minor } };
        expect(await stand.provider.retrieve(sentBy(request))).toEqual({ kind: 'done', reported });
      });

      test('reports a payment in flight, and a failed one', async () => {
        const { request, reference } = await initiate();
        stand.world?.process(reference);
        const inFlight = { kind: 'done', reported: { reference, state: 'processing' } };
        expect(await stand.provider.retrieve(sentBy(request))).toEqual(inFlight);
        expect(await stand.provider.cancel(sentBy(request, reference))).toEqual(inFlight);
        stand.world?.fail(reference);
        const failed = { reference, state: 'failed', code: expect.stringMatching(/^[a-z_]+$/) };
        expect(await stand.provider.retrieve(sentBy(request))).toEqual({ kind: 'done', reported: failed });
      });

      test('reports a payment that is paid before or after its cancellation', async () => {
        const { request, reference } = await beginPaid();
        const paid = { kind: 'done', reported: expect.objectContaining({ reference, state: 'paid' }) };
        expect(await stand.provider.cancel(sentBy(request, reference))).toEqual(paid);
        expect(await stand.provider.cancel(sentBy(request))).toEqual(paid);
        const late = await initiate();
        await stand.provider.cancel(sentBy(late.request));
        stand.world?.pay(late.reference);
        expect(factOf(await stand.provider.retrieve(sentBy(late.request))).state).toBe('paid');
      });

      test('makes one refund for repeated requests, and finds it by its reference and by our ids', async () => {
        const { request, reference } = await beginPaid();
        const refund = newRefundRequest(request, reference, { amount: { currency: 'THB', minor: 30_000 } });
        expect(await stand.provider.retrieveRefund({ ...refund, reference: null })).toEqual({
          kind: 'done',
          reported: null,
        });
        const first = await stand.provider.refund(refund);
        expect(factOf(first).state).toBe('open');
        expect(await stand.provider.refund(refund)).toEqual(first);
        for (const known of [factOf(first).reference, null]) {
          expect(await stand.provider.retrieveRefund({ ...refund, reference: known })).toEqual(first);
        }
        stand.world?.payBack(factOf(first).reference);
        expect(factOf(await stand.provider.retrieveRefund({ ...refund, reference: null })).state).toBe(
          'succeeded',
        );
      });

      test('says why money did not go back, and refuses to pay back more than came', async () => {
        const { request, reference } = await beginPaid();
        const refund = newRefundRequest(request, reference);
        const made = factOf(await stand.provider.refund(refund));
        const another = newRefundRequest(request, reference);
        expect(await stand.provider.refund(another)).toMatchObject({ kind: 'refused' });
        stand.world?.refuseRefund(made.reference);
        const failed = { reference: made.reference, state: 'failed', code: 'declined' };
        expect(await stand.provider.retrieveRefund({ ...refund, reference: null })).toEqual({
          kind: 'done',
          reported: failed,
        });
      });
    });

    test('parses its own notifications, and no others', async () => {
      const body = JSON.stringify({
        id: 'evt_1',
        type: 'payment_intent.succeeded',
        data: { object: { object: 'payment_intent', id: 'pi_1', metadata: { payment_id: 'pay_1' } } },
      });
      const signedBy = (secret: string) => ({
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: body, secret }),
      });
      const nowMs = Date.now();
      const { provider, webhookSecret } = stand;
      expect(await provider.parseNotification({ headers: signedBy(webhookSecret), body, nowMs })).toEqual({
        id: 'evt_1',
        about: { kind: 'payment', reference: 'pi_1', ourId: 'pay_1' },
      });
      expect(await provider.parseNotification({ headers: signedBy('whsec_other'), body, nowMs })).toBeNull();
    });
  });
});
