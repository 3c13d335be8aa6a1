import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { newNotificationToken, notificationUrl } from '../../shared/domain/connection.ts';
import { useLiveService } from '../support/stripe/live-service.ts';
import type { StoredIntent } from '../support/stripe/stripe-account.ts';
import { newLiveWorld } from '../support/world/live-world.ts';

const live = useLiveService();

function newLiveMerchant() {
  return newLiveWorld(live.stripe, live.service);
}

/** The next request takes effect and its response is lost: the adapter retries once after a lost connection. */
function loseAnswer(collection: string): void {
  live.stripe.script(`POST /v1/${collection}`, 'cut after', 'cut before');
}

function qrOf(intent: StoredIntent | undefined) {
  const action = intent?.next_action as { promptpay_display_qr_code?: { data?: string } } | null | undefined;
  return action?.promptpay_display_qr_code?.data;
}

describe.skipIf(inject('stripeMock') === null)('a live payment', () => {
  test('is created at the provider once, however many requests come at once, and shows its QR', async () => {
    const { create, intentsOf } = await newLiveMerchant();
    const before = live.stripe.account.intents.size;
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({}, 'one')));
    const made = answers.filter(({ status }) => status === 201).map(({ json }) => json);
    const again = await create({}, 'one');
    expect([...new Set([...made.map(({ id }) => id), again.json.id])]).toHaveLength(1);
    const [intent, ...others] = intentsOf(String(again.json.id));
    expect(others).toEqual([]);
    expect(live.stripe.account.intents.size).toBe(before + 1);
    expect(again.json).toMatchObject({
      status: 'requires_action',
      mode: 'live',
      next_action: {
        type: 'display_qr',
        qr: { payload: qrOf(intent) },
      },
    });
  });

  test('succeeds once by a notification, even a repeated one; unknown senders are refused', async () => {
    const { create, read, intentsOf, notify, connection, types } = await newLiveMerchant();
    const { json: payment } = await create();
    const [intent] = intentsOf(payment.id);
    live.stripe.account.pay(String(intent?.id));
    expect((await notify()).status).toBe(200);
    expect(await read(payment.id)).toMatchObject({ status: 'succeeded', late: false });
    expect((await notify()).status).toBe(200);
    const event = live.stripe.account.events.at(-1);
    const { headers, body } = live.stripe.notificationOf(event as NonNullable<typeof event>);
    const forged = { method: 'POST', headers, body: body.replace('succeeded', 'canceled') };
    expect((await live.service.send(notificationUrl(connection, live.service.baseUrl), forged)).status).toBe(
      400,
    );
    const nobody = notificationUrl({ ...connection, token: newNotificationToken() }, live.service.baseUrl);
    expect((await live.service.send(nobody, { method: 'POST', headers, body })).status).toBe(404);
    await expect.poll(types).toEqual(['payment.created', 'payment.requires_action', 'payment.succeeded']);
  });

  test('succeeds without a notification, by a look-up', async () => {
    const { create, read, intentsOf, run, jobs } = await newLiveMerchant();
    const { json: payment } = await create();
    const [first] = await jobs('look-up-payment');
    expect(Number(first?.dueAtMs) - Date.parse(payment.created_at)).toBe(30_000);
    await run('look-up-payment');
    expect((await read(payment.id)).status).toBe('requires_action');
    live.stripe.account.pay(String(intentsOf(payment.id)[0]?.id));
    await run('look-up-payment');
    expect((await read(payment.id)).status).toBe('succeeded');
  });

  test('that is paid with another amount is held, and nothing is guessed', async () => {
    const { create, read, intentsOf, notify, types, run } = await newLiveMerchant();
    const { json: payment } = await create();
    live.stripe.account.pay(String(intentsOf(payment.id)[0]?.id), 100_000);
    expect((await notify()).status).toBe(200);
    expect((await read(payment.id)).status).toBe('processing');
    await run('look-up-payment');
    await expect
      .poll(types)
      .toEqual(['payment.created', 'payment.requires_action', 'payment.amount_mismatch']);
  });

  test('that fails at the provider fails', async () => {
    const { create, read, intentsOf, notify } = await newLiveMerchant();
    const { json: payment } = await create();
    live.stripe.account.fail(String(intentsOf(payment.id)[0]?.id));
    expect((await notify()).status).toBe(200);
    expect((await read(payment.id)).status).toBe('failed');
  });

  test('is stopped at the provider before it is canceled; if paid meanwhile, it is paid', async () => {
    const { api, create, read, intentsOf } = await newLiveMerchant();
    const [one, other] = await Promise.all([create(), create()]);
    const cancel = (id: string) => api(operations.cancelPayment, { params: { id }, body: {} });
    expect((await cancel(one.json.id)).json.status).toBe('canceled');
    expect(intentsOf(one.json.id)[0]?.status).toBe('canceled');
    live.stripe.account.pay(String(intentsOf(other.json.id)[0]?.id));
    const { problem } = await cancel(other.json.id);
    expect(problem).toMatchObject({ code: 'invalid_state', details: { current_status: 'succeeded' } });
    expect(await read(other.json.id)).toMatchObject({ status: 'succeeded', late: false });
  });

  test('is not stopped by a request that is refused for its key', async () => {
    const { api, create, read, intentsOf } = await newLiveMerchant();
    const [{ json: payment }, { json: other }] = [await create({}, 'used'), await create()];
    const cancel = ({ id }: typeof payment, idempotencyKey: string) =>
      api(operations.cancelPayment, { idempotencyKey, params: { id }, body: {} });
    expect((await cancel(payment, 'used')).problem.code).toBe('idempotency_key_reused');
    // The first request has ended by then.
    expect((await cancel(other, 'new')).status).toBe(200);
    expect(intentsOf(payment.id)[0]?.status).toBe('requires_action');
    expect((await read(payment.id)).status).toBe('requires_action');
  });

  test('is stopped at the provider before it expires; if it was paid in time, it is paid', async () => {
    const { create, read, intentsOf, run } = await newLiveMerchant();
    const { json: unpaid } = await create();
    await run('expire-payment');
    expect(intentsOf(unpaid.id)[0]?.status).toBe('canceled');
    expect((await read(unpaid.id)).status).toBe('expired');
    const { create: createOther, run: runOther, read: readOther, intentsOf: of } = await newLiveMerchant();
    const { json: paid } = await createOther();
    live.stripe.account.pay(String(of(paid.id)[0]?.id));
    await runOther('expire-payment');
    expect(await readOther(paid.id)).toMatchObject({ status: 'succeeded', late: false });
  });

  test('goes on past its expiry until its provider has stopped it, and can still be paid', async () => {
    const { create, read, intentsOf, run } = await newLiveMerchant();
    const { json: payment } = await create({ expires_in_minutes: 1 });
    await run('look-up-payment');
    live.stripe.account.process(String(intentsOf(payment.id)[0]?.id));
    // This one is due two minutes after the creation.
    await run('look-up-payment');
    expect((await read(payment.id)).status).toBe('processing');
    live.stripe.account.pay(String(intentsOf(payment.id)[0]?.id));
    await run('look-up-payment');
    expect(await read(payment.id)).toMatchObject({ status: 'succeeded', late: false });
  });

  test('of unknown outcome is found by the same key; an abandoned one is canceled', async () => {
    const { create, intentsOf } = await newLiveMerchant();
    loseAnswer('payment_intents');
    const lost = await create({}, 'again');
    expect(lost.problem.code).toBe('provider_unavailable');
    expect(lost.headers.get('retry-after')).not.toBeNull();
    const found = await create({}, 'again');
    expect(found.status).toBe(201);
    expect(intentsOf(found.json.id)).toHaveLength(1);

    const before = new Set(live.stripe.account.intents.keys());
    const { create: createOther, run: runOther } = await newLiveMerchant();
    loseAnswer('payment_intents');
    await createOther({}, 'given up');
    const [orphan] = [...live.stripe.account.intents.values()].filter(({ id }) => !before.has(id));
    expect(orphan?.status).toBe('requires_action');
    await runOther('stop-attempt');
    expect(live.stripe.account.intents.get(String(orphan?.id))?.status).toBe('canceled');
  });

  test("requires what the provider requires: a method that it has and the payer's email", async () => {
    const { create } = await newLiveMerchant();
    const other = await create({ method: 'truemoney' });
    expect(other.problem).toMatchObject({
      code: 'method_unavailable',
      details: { available: ['promptpay'] },
      errors: [{ field: 'method' }],
    });
    const { problem } = await create({ customer: {} });
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ field: 'customer.email' }] });
  });
});

describe.skipIf(inject('stripeMock') === null)('a live refund', () => {
  async function refunded() {
    const merchant = await newLiveMerchant();
    const { api, create, intentsOf, notify, run } = merchant;
    const { json: payment } = await create();
    live.stripe.account.pay(String(intentsOf(payment.id)[0]?.id));
    await notify();
    const { json } = await api(operations.requestRefund, { params: { id: payment.id }, body: {} });
    await run('approve-refund');
    const read = async () => (await api(operations.getRefund, { params: { id: json.id } })).json;
    const atStripe = () =>
      [...live.stripe.account.refunds.values()].filter(({ metadata }) => metadata.refund_id === json.id);
    return { ...merchant, read, atStripe };
  }

  test('is requested once, and succeeds when the provider reports it', async () => {
    const { run, read, atStripe, notify } = await refunded();
    loseAnswer('refunds');
    await run('send-refund');
    expect((await read()).status).toBe('approved');
    await run('send-refund');
    expect((await read()).status).toBe('processing');
    const [refund, ...others] = atStripe();
    expect(others).toEqual([]);
    live.stripe.account.payBack(String(refund?.id));
    expect((await notify()).status).toBe(200);
    expect((await read()).status).toBe('succeeded');
  });

  test('that the provider cannot make fails after a look-up, and its amount is free again', async () => {
    const { run, read, atStripe, api } = await refunded();
    await run('send-refund');
    live.stripe.account.failRefund(String(atStripe()[0]?.id));
    await run('look-up-refund');
    const { status, payment_id } = await read();
    expect(status).toBe('failed');
    const again = await api(operations.requestRefund, { params: { id: String(payment_id) }, body: {} });
    expect(again.json.status).toBe('requested');
  });
});
