// @module-tag nightly
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, test, vi } from 'vitest';
import { COUNTED_OF_PROVIDERS } from '../../infra/aws/constructs/observability.ts';
import { operations } from '../../shared/contract/operations.ts';
import { notificationUrl } from '../../shared/domain/connection.ts';
import type { World } from '../../shared/domain/world.ts';
import { STACK_DIMENSION } from '../../shared/telemetry/metrics.ts';
import { useLiveService } from '../support/stripe/live-service.ts';
import type { StoredEvent } from '../support/stripe/stripe-account.ts';
import { matches } from '../support/tools/filter-pattern.ts';
import { newLiveWorld } from '../support/world/live-world.ts';

/** Set as on a deployed stage, before the first import creates the logger. */
const STACK = vi.hoisted(() => {
  process.env.POWERTOOLS_SERVICE_NAME = 'payments-watched';
  return 'payments-watched';
});

const DAY_SECONDS = 86_400;
/** As the command line shows an instant: in the time of Bangkok. */
const TIME = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
const live = useLiveService();
const { queryPartition } = await import('../../shared/store/table/item.ts');
const { providerEventPks } = await import('../../shared/store/table/keys.ts');

/** The counts of the metric filters over the functions' log lines, by metric, without zeros. */
async function countedIn(act: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  return (await seenIn(act)).counts;
}

/** As `countedIn`, with the lines. */
async function seenIn(act: () => Promise<unknown>) {
  const written: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0),
  );
  try {
    await act();
  } finally {
    for (const spy of spies) {
      spy.mockRestore();
    }
  }
  const lines = written
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Record<string, unknown>);
  const counts = Object.entries(COUNTED_OF_PROVIDERS).map(([metric, pattern]) => {
    const counted = lines.filter((line) => matches(pattern, line));
    // Without it, a line counts for no stack.
    expect(counted.every((line) => line[STACK_DIMENSION] === STACK)).toBe(true);
    return [metric, counted.length] as const;
  });
  return { counts: Object.fromEntries(counts.filter(([, count]) => count > 0)), lines };
}

const newMerchant = (secretKey?: string) => newLiveWorld(live.stripe, live.service, secretKey);

async function opened() {
  const merchant = await newMerchant();
  const { json: payment } = await merchant.create();
  const [intent] = merchant.intentsOf(payment.id);
  return { ...merchant, payment, intentId: String(intent?.id) };
}

async function refunded() {
  const merchant = await opened();
  const { api, payment, intentId, notify, run } = merchant;
  live.stripe.account.pay(intentId);
  await notify();
  await api(operations.requestRefund, { params: { id: payment.id }, body: {} });
  await run('approve-refund');
  await run('send-refund');
  const refund = [...live.stripe.account.refunds.values()].find(
    ({ payment_intent }) => payment_intent === intentId,
  );
  return { ...merchant, refundId: String(refund?.id) };
}

describe.skipIf(inject('stripeMock') === null)('the cause of an alarm in live mode', () => {
  test('is nothing, when payments are paid, canceled and refunded normally', async () => {
    const counted = await countedIn(async () => {
      const { notify, refundId } = await refunded();
      live.stripe.account.payBack(refundId);
      await notify();
      const { api, payment, run } = await opened();
      await run('look-up-payment');
      await api(operations.cancelPayment, { params: { id: payment.id }, body: {} });
    });
    expect(counted).toEqual({});
  });

  test('is an unknown outcome: of a create, a cancel, a notification and a job', async () => {
    const { api, create, payment, intentId, run, notify } = await opened();
    const each = [
      ['POST /v1/payment_intents', () => create()],
      [
        'POST /v1/payment_intents',
        () => api(operations.cancelPayment, { params: { id: payment.id }, body: {} }),
      ],
      [
        'GET /v1/payment_intents',
        () => {
          live.stripe.account.process(intentId);
          return notify();
        },
      ],
      ['GET /v1/payment_intents', () => run('look-up-payment')],
    ] as const;
    for (const [request, act] of each) {
      live.stripe.script(request, 'cut before', 'cut before');
      expect(await countedIn(act), String(act)).toEqual({ ProviderOutcomeUnknown: 1 });
    }
  });

  test('is a provider failure, or secrets that the provider refuses', async () => {
    const { create } = await opened();
    live.stripe.script('POST /v1/payment_intents', '500 before');
    expect(await countedIn(() => create())).toEqual({ ProviderOutcomeUnknown: 1 });
    const refused = await newMerchant('sk_test_replaced');
    expect(await countedIn(() => refused.create())).toEqual({
      ProviderOutcomeUnknown: 1,
      ProviderSecretsRefused: 1,
    });
  });

  test('is an outcome unknown for 15 minutes; pg admin jobs shows which, since when and why', async () => {
    const { run, jobs, payment, merchant, intentId } = await opened();
    const counts = [];
    let sinceMs = 0;
    for (const atMinutes of [0, 1, 2, 4, 8, 16]) {
      live.stripe.script(`GET /v1/payment_intents/${intentId}`, 'cut before', 'cut before');
      const due = (await jobs('look-up-payment')).map(({ dueAtMs }) => dueAtMs);
      const atMs = Math.max(...due);
      sinceMs ||= atMs;
      expect(atMs - sinceMs).toBe(atMinutes * 60_000);
      counts.push((await countedIn(() => run('look-up-payment'))).OutcomeLongUnknown ?? 0);
    }
    expect(counts).toEqual([0, 0, 0, 0, 0, 1]);
    const shown = await unknownJobs(merchant);
    expect(shown.json.at(-1)).toEqual({
      merchant,
      job: 'look-up-payment',
      id: payment.id,
      status: 'requires_action',
      provider: 'stripe',
      account: 'acct_1',
      unknown_since: new Date(sinceMs).toISOString(),
      why: 'connection',
      next_at: new Date(sinceMs + 32 * 60_000).toISOString(),
    });
    expect(shown.lines.at(-1)).toMatch(
      new RegExp(
        `^${TIME} +${merchant} +look-up-payment +${payment.id} +requires_action +stripe cannot be reached +${TIME}$`,
      ),
    );
  });

  test('is a notification about a resource that is not stored here', async () => {
    const [one, other] = await Promise.all([newMerchant(), newMerchant()]);
    const { json: payment } = await one.create();
    const paid = live.stripe.account.pay(String(one.intentsOf(payment.id)[0]?.id));
    const event = live.stripe.account.events.at(-1);
    // So long after its creation, no request is about to store it.
    const object = { ...paid, created: paid.created - 1_800 };
    const { headers, body } = live.stripe.notificationOf({ ...event, data: { object } } as StoredEvent);
    const url = notificationUrl(other.connection, live.service.baseUrl);
    const sendNotification = () => live.service.send(url, { method: 'POST', headers, body });
    const from = Math.floor(Date.now() / 1_000);
    const { counts, lines } = await seenIn(sendNotification);
    expect(counts).toEqual({ NotificationUnmatched: 1 });
    // The alarm names the merchant, so that on-call need not look it up.
    const unmatched = lines.filter((line) => matches(COUNTED_OF_PROVIDERS.NotificationUnmatched, line));
    expect(unmatched.map(({ merchant }) => merchant)).toEqual([other.merchant]);
    // It is stored, so a repetition counts as the same one.
    expect(await countedIn(sendNotification)).toEqual({});
    const notificationsOf = async (world: World) => {
      const items = await Promise.all(providerEventPks(world).map((pk) => queryPartition(pk)));
      return items.flat().map(({ state, ttl }) => ({ state, ttl }));
    };
    const kept = await notificationsOf(other.world);
    expect(kept).toEqual([{ state: 'unmatched', ttl: expect.any(Number) }]);
    const [{ ttl } = { ttl: 0 }] = kept;
    expect(Number(ttl) - from).toBeGreaterThanOrEqual(90 * DAY_SECONDS);
    expect(Number(ttl) - from).toBeLessThan(91 * DAY_SECONDS);
    // A notification that changed a resource is kept as long as the resource.
    await one.notify();
    expect(await notificationsOf(one.world)).not.toEqual([]);
    expect((await notificationsOf(one.world)).filter(({ ttl }) => ttl !== undefined)).toEqual([]);
  });

  test.each(['a request', 'a page'])(
    'is no notification that precedes the commit of %s: it is sent again and applies',
    async (by) => {
      const { api, create, notify, read } = await newMerchant();
      const body = { amount: { currency: 'THB', minor: 129_900 } } as const;
      const page = by === 'a page' ? (await api(operations.createPayment, { body })).json : null;
      const choose = async () => {
        const form = new URLSearchParams({ method: 'promptpay', email: 'payer@example.com' });
        await live.service.send(String(page?.checkout_url), {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: form.toString(),
        });
        return String(page?.id);
      };
      const begin = page === null ? async () => (await create({}, 'quick')).json.id : choose;
      live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
      await begin();
      live.stripe.account.pay(String([...live.stripe.account.intents.keys()].at(-1)));
      const paid = live.stripe.account.events.at(-1);
      expect(await countedIn(async () => expect((await notify(paid)).status).toBe(503))).toEqual({});
      const id = await begin();
      expect((await notify(paid)).status).toBe(200);
      expect(await read(id)).toMatchObject({ status: 'succeeded' });
    },
  );

  test('is a payment of another amount, counted once', async () => {
    const { intentId, notify, run } = await opened();
    live.stripe.account.pay(intentId, 100_000);
    const counted = await countedIn(async () => {
      await notify();
      await run('look-up-payment');
    });
    expect(counted).toEqual({ AmountMismatched: 1 });
  });

  test('is a reported outcome that the status of a payment or refund does not allow', async () => {
    const { intentId, notify } = await opened();
    live.stripe.account.fail(intentId);
    await notify();
    live.stripe.account.pay(intentId);
    expect(await countedIn(() => notify())).toEqual({ ProviderContradicted: 1 });

    const refund = await refunded();
    live.stripe.account.payBack(refund.refundId);
    await refund.notify();
    live.stripe.account.failRefund(refund.refundId);
    expect(await countedIn(() => refund.notify())).toEqual({ ProviderContradicted: 1 });
  });

  test('is money for an abandoned attempt, or none where it was in flight', async () => {
    const { create, run } = await newMerchant();
    const before = live.stripe.account.intents.size;
    live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
    await create();
    const [orphan] = [...live.stripe.account.intents.values()].slice(before);
    live.stripe.account.pay(String(orphan?.id));
    expect(await countedIn(() => run('stop-attempt'))).toEqual({ ProviderContradicted: 1 });

    const { intentId, notify, run: runOther } = await opened();
    live.stripe.account.process(intentId);
    await notify();
    live.stripe.account.fail(intentId);
    live.stripe.account.cancelIntent(intentId);
    expect(await countedIn(() => runOther('look-up-payment'))).toEqual({ ProviderContradicted: 1 });
  });
});

/** What `pg admin jobs unknown` shows of a merchant: of others there may be more. */
async function unknownJobs(merchant: string) {
  const jobs = async (...args: string[]) => {
    const all = ['infra/pg/pg.ts', 'admin', 'jobs', 'unknown', '--dir', inject('service').dir, ...args];
    return (await promisify(execFile)(process.execPath, all)).stdout;
  };
  const json: { merchant: string }[] = JSON.parse(await jobs('--json'));
  const lines = (await jobs()).split('\n');
  return {
    json: json.filter((row) => row.merchant === merchant),
    lines: lines.filter((line) => line.includes(merchant)),
  };
}
