// @module-tag nightly
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { useLiveService } from '../support/stripe/live-service.ts';
import { newLiveWorld } from '../support/world/live-world.ts';

const live = useLiveService();

async function opened() {
  const merchant = await newLiveWorld(live.stripe, live.service);
  const { json: payment } = await merchant.create();
  const intentId = String(merchant.intentsOf(payment.id)[0]?.id);
  const intent = () => live.stripe.account.intents.get(intentId);
  const cancel = () => merchant.api(operations.cancelPayment, { params: { id: payment.id }, body: {} });
  const status = async () => (await merchant.read(payment.id)).status;
  return { ...merchant, payment, intentId, intent, cancel, status };
}

async function refundApproved() {
  const merchant = await opened();
  const { api, payment, intentId, notify, run } = merchant;
  live.stripe.account.pay(intentId);
  await notify();
  const { json } = await api(operations.requestRefund, { params: { id: payment.id }, body: {} });
  await run('approve-refund');
  const status = async () => (await api(operations.getRefund, { params: { id: json.id } })).json.status;
  const atStripe = () =>
    [...live.stripe.account.refunds.values()].filter(({ metadata }) => metadata.refund_id === json.id);
  return { ...merchant, refund: json, status, atStripe };
}

type Merchant = Pick<Awaited<ReturnType<typeof newLiveWorld>>, 'merchant' | 'connect' | 'disconnect'>;

/** What separates a world from the account of its payments. */
const AWAY = {
  'no account is connected': ({ disconnect }: Merchant) => disconnect(),
  'another account is connected': async ({ disconnect, connect }: Merchant) => {
    await disconnect();
    await connect('acct_other');
  },
} as const;

async function isBack({ disconnect, connect }: Merchant, why: keyof typeof AWAY): Promise<void> {
  if (why === 'another account is connected') {
    await disconnect();
  }
  await connect('acct_1');
}

/** The requests that Stripe gets during an action. */
async function requestsIn(act: () => Promise<unknown>): Promise<string[]> {
  const before = live.stripe.requests.length;
  await act();
  return live.stripe.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
}

/** What `pg admin jobs unknown` shows of every merchant. */
async function unknown(...more: string[]): Promise<string> {
  const args = ['infra/pg/pg.ts', 'admin', 'jobs', 'unknown', '--dir', inject('service').dir, ...more];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

async function unknownOf({ merchant }: Merchant) {
  const rows: Record<string, unknown>[] = JSON.parse(await unknown('--json'));
  return rows.filter((row) => row.merchant === merchant);
}

describe.skipIf(inject('stripeMock') === null).each(Object.keys(AWAY) as (keyof typeof AWAY)[])(
  'while %s',
  (why) => {
    test('an approved refund waits, is shown, and goes on by itself when its account is back', async () => {
      const merchant = await refundApproved();
      const { run, status, atStripe, refund, jobs } = merchant;
      await AWAY[why](merchant);
      expect(await requestsIn(() => run('send-refund'))).toEqual([]);
      expect(await status()).toBe('approved');
      expect(await unknownOf(merchant)).toMatchObject([
        {
          job: 'send-refund',
          id: refund.id,
          status: 'approved',
          provider: 'stripe',
          account: 'acct_1',
          why: 'account-not-connected',
        },
      ]);
      const lines = (await unknown()).split('\n').filter((line) => line.includes(merchant.merchant));
      expect(lines.join()).toContain('stripe account acct_1 is not connected');
      await isBack(merchant, why);
      expect(await jobs('send-refund')).not.toEqual([]);
      await run('send-refund');
      expect(await status()).toBe('processing');
      expect(atStripe()).toHaveLength(1);
    });

    test('a payment neither expires nor is canceled before its account has stopped it', async () => {
      const merchant = await opened();
      const { run, status, cancel, intent } = merchant;
      await AWAY[why](merchant);
      const requests = await requestsIn(async () => {
        const { problem, headers } = await cancel();
        expect(problem).toMatchObject({ status: 503, code: 'provider_unavailable' });
        expect(headers.get('retry-after')).not.toBeNull();
        await run('expire-payment');
      });
      expect(requests).toEqual([]);
      expect(await status()).toBe('requires_action');
      expect(await unknownOf(merchant)).toMatchObject([
        { job: 'expire-payment', status: 'requires_action', why: 'account-not-connected' },
      ]);
      await isBack(merchant, why);
      await run('expire-payment');
      expect(intent()?.status).toBe('canceled');
      expect(await status()).toBe('expired');
    });

    test('a payment is looked up when its account is back', async () => {
      const merchant = await opened();
      const { run, status, intentId } = merchant;
      await AWAY[why](merchant);
      live.stripe.account.pay(intentId);
      expect(await requestsIn(() => run('look-up-payment'))).toEqual([]);
      expect(await unknownOf(merchant)).toMatchObject([
        { job: 'look-up-payment', account: 'acct_1', why: 'account-not-connected' },
      ]);
      await isBack(merchant, why);
      await run('look-up-payment');
      expect(await status()).toBe('succeeded');
    });

    test('a refund is looked up when its account is back', async () => {
      const merchant = await refundApproved();
      const { run, status, atStripe } = merchant;
      await run('send-refund');
      await AWAY[why](merchant);
      live.stripe.account.payBack(String(atStripe()[0]?.id));
      expect(await requestsIn(() => run('look-up-refund'))).toEqual([]);
      expect(await unknownOf(merchant)).toMatchObject([
        { job: 'look-up-refund', account: 'acct_1', why: 'account-not-connected' },
      ]);
      await isBack(merchant, why);
      await run('look-up-refund');
      expect(await status()).toBe('succeeded');
    });

    test('an abandoned attempt is canceled when its account is back', async () => {
      const merchant = await newLiveWorld(live.stripe, live.service);
      const before = live.stripe.account.intents.size;
      live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
      await merchant.create({}, 'given up');
      const [orphan] = [...live.stripe.account.intents.values()].slice(before);
      await AWAY[why](merchant);
      expect(await requestsIn(() => merchant.run('stop-attempt'))).toEqual([]);
      expect(await unknownOf(merchant)).toMatchObject([
        { job: 'stop-attempt', account: 'acct_1', why: 'account-not-connected' },
      ]);
      await isBack(merchant, why);
      await merchant.run('stop-attempt');
      expect(live.stripe.account.intents.get(String(orphan?.id))?.status).toBe('canceled');
    });

    test('a payment that has ended does not wait, because its account has stopped it already', async () => {
      const merchant = await opened();
      await merchant.cancel();
      await AWAY[why](merchant);
      expect(await requestsIn(() => merchant.run('look-up-payment'))).toEqual([]);
      expect(await unknownOf(merchant)).toEqual([]);
    });
  },
);

describe.skipIf(inject('stripeMock') === null)('when another account was connected meanwhile', () => {
  test('a retry goes to the new account, and its attempt at the old one is still canceled', async () => {
    const merchant = await newLiveWorld(live.stripe, live.service);
    const { create, read, jobs, run } = merchant;
    const before = live.stripe.account.intents.size;
    live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
    await create({}, 'again');
    const [orphan] = [...live.stripe.account.intents.values()].slice(before);
    const stops = await jobs('stop-attempt');
    await AWAY['another account is connected'](merchant);
    // The stand-in is one account, so it returns the same intent: only the stored account differs.
    const { json: payment } = await create({}, 'again');
    expect((await read(payment.id)).status).toBe('requires_action');
    await isBack(merchant, 'another account is connected');
    expect(stops).toHaveLength(1);
    await run('stop-attempt', stops[0]);
    expect(live.stripe.account.intents.get(String(orphan?.id))?.status).toBe('canceled');
  });

  test('a refund that is requested then goes to the account of its payment', async () => {
    const merchant = await opened();
    const { api, payment, intentId, notify, run } = merchant;
    live.stripe.account.pay(intentId);
    await notify();
    await AWAY['another account is connected'](merchant);
    const { json } = await api(operations.requestRefund, { params: { id: payment.id }, body: {} });
    await run('approve-refund');
    expect(await requestsIn(() => run('send-refund'))).toEqual([]);
    await isBack(merchant, 'another account is connected');
    expect(await requestsIn(() => run('send-refund'))).toEqual(['POST /v1/refunds']);
    expect(json.status).toBe('requested');
  });
});
