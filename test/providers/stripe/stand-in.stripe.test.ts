import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../shared/domain/clock.ts';
import { stripeProvider } from '../../../shared/providers/stripe/stripe-provider.ts';
import { type StandIn, startStandIn } from '../../support/stripe/stand-in.ts';
import { stripeDocument } from '../../support/stripe/stripe-document.ts';
import { newAttemptRequest, sentBy } from '../../support/world/attempt-request.ts';
import { startMerchantServer } from '../../support/world/merchant-server.ts';

const mock = inject('stripeMock');
const ORDER = {
  amount: 129_900,
  currency: 'thb',
  confirm: true,
  payment_method_types: ['promptpay'],
  payment_method_data: { type: 'promptpay', billing_details: { email: 'somchai@example.com' } },
  metadata: { payment_id: 'pay_1' },
} as const satisfies Stripe.PaymentIntentCreateParams;

describe.skipIf(mock === null)('the stand-in of Stripe', () => {
  let standIn: StandIn;
  /** Stripe's own, as strict as it is: it repeats nothing. */
  let sdk: Stripe;

  beforeEach(async () => {
    standIn = await startStandIn(mock as NonNullable<typeof mock>);
    const { hostname: host, port } = new URL(standIn.apiUrl);
    const config = { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const;
    sdk = new Stripe(standIn.secretKey, config);
  });
  afterEach(async () => {
    await standIn.stop();
    expect(standIn.faults).toEqual([]);
  });

  const create = (more: object = {}, idempotencyKey = 'k') =>
    sdk.paymentIntents.create({ ...ORDER, ...more } as Stripe.PaymentIntentCreateParams, { idempotencyKey });

  test('is read by the SDK', async () => {
    const intent = await create();
    expect(intent.status).toBe('requires_action');
    expect(intent.next_action?.promptpay_display_qr_code?.data).toMatch(/^000201/);
    expect(await sdk.paymentIntents.retrieve(intent.id)).toEqual(intent);
    const { data, has_more } = await sdk.paymentIntents.list({ limit: 1 });
    expect([data, has_more]).toEqual([[intent], false]);
    standIn.account.pay(intent.id);
    const refund = await sdk.refunds.create(
      { payment_intent: intent.id, instructions_email: 'somchai@example.com' },
      { idempotencyKey: 'r' },
    );
    expect(refund).toMatchObject({ amount: 129_900, status: 'requires_action', payment_intent: intent.id });
    expect(await sdk.refunds.retrieve(refund.id)).toEqual(refund);
    expect((await sdk.refunds.list({ payment_intent: intent.id })).data).toEqual([refund]);
    expect((await create({}, 'other').then(({ id }) => sdk.paymentIntents.cancel(id))).status).toBe(
      'canceled',
    );
  });

  test('refuses what Stripe’s validator refuses, and what is not PromptPay as Stripe has it', async () => {
    const refused = { type: 'StripeInvalidRequestError', statusCode: 400 };
    await expect(create({ nonsense: 1 })).rejects.toMatchObject(refused);
    await expect(create({ amount: 'much' })).rejects.toMatchObject(refused);
    await expect(create({ payment_method_types: ['card'] })).rejects.toMatchObject(refused);
    await expect(create({ payment_method_types: ['promptpay', 'card'] })).rejects.toMatchObject(refused);
    await expect(create({ currency: 'usd' })).rejects.toMatchObject(refused);
    await expect(create({ confirm: false })).rejects.toMatchObject(refused);
    const anonymous = { payment_method_data: { type: 'promptpay' } };
    await expect(create(anonymous)).rejects.toMatchObject({ ...refused, code: 'parameter_missing' });
    await expect(create({ amount: 999 })).rejects.toMatchObject({ ...refused, code: 'amount_too_small' });
    expect(standIn.account.intents.size).toBe(0);
    // None of these was started, so none is kept under the key.
    expect((await create()).amount).toBe(129_900);
  });

  test('refuses another version than its document’s', async () => {
    const old = new Stripe(standIn.secretKey, {
      ...{ host: '127.0.0.1', port: new URL(standIn.apiUrl).port, protocol: 'http', maxNetworkRetries: 0 },
      apiVersion: '2024-06-20' as typeof Stripe.API_VERSION,
    });
    await expect(old.paymentIntents.list()).rejects.toMatchObject({ statusCode: 400 });
  });

  test('returns the same response under one key for a day, and then creates another', async () => {
    const first = await create();
    expect(await create()).toEqual(first);
    await expect(create({ amount: 200_000 })).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    standIn.advance(DAY_MS - MINUTE_MS);
    expect((await create()).id).toBe(first.id);
    standIn.advance(2 * MINUTE_MS);
    expect((await create()).id).not.toBe(first.id);
  });

  test('keeps a 500 under its key for a day', async () => {
    standIn.script('POST /v1/payment_intents', '500 before');
    const failed = { type: 'StripeAPIError', statusCode: 500 };
    await expect(create()).rejects.toMatchObject(failed);
    await expect(create()).rejects.toMatchObject(failed);
    expect((await create({}, 'other')).status).toBe('requires_action');
    standIn.advance(DAY_MS);
    expect((await create()).status).toBe('requires_action');
  });

  test('does not stop what was paid, nor pay back more than came', async () => {
    const { id } = await create();
    standIn.account.pay(id, 5_000);
    await expect(sdk.paymentIntents.cancel(id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id, status: 'succeeded', amount_received: 5_000 },
    });
    const back = (amount: number, idempotencyKey: string, instructions_email?: string) =>
      sdk.refunds.create(
        { payment_intent: id, amount, ...(instructions_email && { instructions_email }) },
        { idempotencyKey },
      );
    await expect(back(5_001, 'r1', 'a@example.com')).rejects.toMatchObject({ param: 'amount' });
    await expect(back(5_000, 'r2')).rejects.toMatchObject({ param: 'instructions_email' });
    expect((await back(5_000, 'r3', 'a@example.com')).status).toBe('requires_action');
    await expect(back(1, 'r4', 'a@example.com')).rejects.toMatchObject({ code: 'charge_already_refunded' });
  });

  test('sends notifications that the SDK and our adapter accept: late, twice, in any order', async () => {
    const { secretKey, webhookSecret, apiUrl } = standIn;
    const provider = stripeProvider({ secretKey, webhookSecret, apiUrl });
    const receiver = await startMerchantServer();
    try {
      standIn.sendAll(receiver.url);
      const { id } = await create();
      await expect.poll(() => receiver.received.length).toBe(2);
      standIn.sendAll(null);
      standIn.account.pay(id);
      standIn.advance(DAY_MS);
      for (const event of standIn.account.events.toReversed()) {
        expect(await standIn.send(event, receiver.url, 2)).toEqual([204, 204]);
      }
      const eventIds = standIn.account.events.map((event) => event.id);
      expect(eventIds).toHaveLength(3);
      const again = receiver.received.slice(2).map(({ body }) => JSON.parse(body).id);
      expect(again).toEqual(eventIds.toReversed().flatMap((eventId) => [eventId, eventId]));
      for (const { headers, body } of receiver.received.slice(2)) {
        const signature = String(headers['stripe-signature']);
        const nowMs = Date.now() + DAY_MS;
        const event = sdk.webhooks.constructEvent(body, signature, webhookSecret, 300, undefined, nowMs);
        expect(
          await provider.parseNotification({ headers: { 'stripe-signature': signature }, body, nowMs }),
        ).toEqual({
          id: event.id,
          about: { kind: 'payment', reference: id, ourId: 'pay_1', madeAtMs: expect.any(Number) },
        });
      }
    } finally {
      await receiver.stop();
    }
  });

  test('receives what Stripe requires: its version, and the attempt’s id as Idempotency-Key', async () => {
    const { secretKey, webhookSecret, apiUrl } = standIn;
    const request = newAttemptRequest();
    const provider = stripeProvider({ secretKey, webhookSecret, apiUrl });
    await provider.initiate(request);
    await provider.retrieve(sentBy(request));
    const [begun, found] = standIn.requests;
    expect(begun?.form).toEqual({
      amount: '129900',
      currency: 'thb',
      confirm: 'true',
      'payment_method_types[]': 'promptpay',
      'payment_method_data[type]': 'promptpay',
      'payment_method_data[billing_details][email]': request.email,
      'metadata[payment_id]': request.paymentId,
      'metadata[attempt_id]': request.attemptId,
    });
    expect(begun?.headers).toMatchObject({
      'idempotency-key': request.attemptId,
      'stripe-version': Stripe.API_VERSION,
    });
    expect(found).toMatchObject({ method: 'GET', headers: { 'stripe-version': Stripe.API_VERSION } });
  });
});

test.skipIf(mock === null)('Stripe’s document finds the errors of a response or an event', async () => {
  const document = await stripeDocument(String(mock?.document));
  const request = { method: 'GET', path: '/v1/payment_intents/pi_1' };
  const intent = { id: 'pi_1', object: 'payment_intent', status: 'succeeded', created: 1, livemode: false };
  const wrongIn = (body: object) => document.faultInAnswer(request, 200, body);
  expect(wrongIn({ object: 'payment_intent' })).toMatch(/required property/);
  expect(wrongIn({ ...intent, status: 'paid' })).toMatch(/allowed values/);
  expect(wrongIn({ ...intent, amount: '1' })).toMatch(/integer/);
  expect(document.faultInAnswer(request, 400, { error: { type: 'no_such_type' } })).toMatch(/allowed values/);
  expect(document.faultInAnswer({ method: 'GET', path: '/v1/nothing' }, 200, {})).toMatch(/no answer/);
  expect(document.faultInEvent({ object: 'event' })).toMatch(/required property/);
});
