import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { lawsOf } from '../../infra/scenario/laws.ts';
import type { Client } from '../../shared/client/client.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import { stripeProvider } from '../../shared/providers/stripe/stripe-provider.ts';
import { claimKey } from '../../shared/store/table/keys.ts';
import { type StandIn, startStandIn } from '../support/stripe/stand-in.ts';
import { newAttemptRequest } from '../support/world/attempt-request.ts';
import { type MerchantServer, startMerchantServer } from '../support/world/merchant-server.ts';
import { AHEAD_MS, intentOf, Stand } from './stand.ts';

const mock = inject('stripeMock');
const baht = (minor: number) => ({ currency: 'THB', minor }) as const;
const ORDER = {
  amount: baht(50_000),
  method: 'promptpay',
  customer: { email: 'payer@example.com' },
} as const;
const DAY_SECONDS = 86_400;
const DAYS = 7;
const KNOWN_REFUND_KEY = 'a refund of before the instant';

/** The part of an event that is compared. */
interface Received {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string } };
}

function eventsAt({ received }: MerchantServer): Received[] {
  return received.map(({ body }) => JSON.parse(body));
}

/** The ids under which the event of a new payment came. */
function idsOf(receiver: MerchantServer, paymentId: string): string[] {
  const own = eventsAt(receiver).filter(
    ({ type, data }) => data.object.id === paymentId && type === 'payment.requires_action',
  );
  return own.map(({ id }) => id);
}

async function untilDelivered(receiver: MerchantServer, paymentId: string): Promise<void> {
  await expect.poll(() => idsOf(receiver, paymentId)).not.toEqual([]);
}

/** Orders in test mode: each day one that is paid, one that is paid back in part, and one that nobody pays. */
async function liveAWeek(shop: Client): Promise<void> {
  for (let day = 0; day < DAYS; day += 1) {
    const [paid, back] = await Promise.all([1, 2, 3].map(() => shop.createPayment(ORDER)));
    for (const payment of [paid, back]) {
      await shop.simulatePayment(String(payment?.id), { outcome: 'succeeded' });
    }
    await shop.requestRefund(String(back?.id), { amount: baht(20_000) });
    await shop.advanceClock({ seconds: DAY_SECONDS });
  }
}

async function lastSequenceOf(client: Client): Promise<number> {
  return Number((await client.listEvents({ limit: 1 })).data[0]?.sequence);
}

/** @returns the live key, and live payments: two are paid, one is not */
async function beginLive(stand: Stand) {
  const key = await stand.connectShop();
  await stand.takeNotifications();
  const shop = stand.client(key);
  const paid = await shop.createPayment(ORDER);
  const other = await shop.createPayment(ORDER);
  const open = await shop.createPayment(ORDER);
  await stand.pay(shop, paid.id);
  await stand.pay(shop, other.id);
  return { key, paid: paid.id, other: other.id, open: open.id };
}

type Live = Awaited<ReturnType<typeof beginLive>>;

/** Until the instant: a refund and a payment whose events wait, since nothing runs, and a copy. */
async function reachInstant(stand: Stand, copy: Stand, { key, paid }: Live) {
  const isAtRest = async () => {
    const { worlds } = await stand.admin(['restore', 'report', '--since', new Date().toISOString()]);
    return worlds.every(({ outbox_entries }: { outbox_entries: number }) => outbox_entries === 0);
  };
  await expect.poll(isAtRest).toBe(true);
  await stand.start({ isPaused: true });
  const refund = await stand
    .client(key)
    .requestRefund(paid, { amount: baht(20_000) }, { idempotencyKey: KNOWN_REFUND_KEY });
  const waiting = await stand.client().createPayment(ORDER);
  const lastSequence = await lastSequenceOf(stand.client());
  const since = new Date().toISOString();
  await stand.copyTo(copy);
  return { refund: refund.id, waiting: waiting.id, lastSequence, since };
}

/** What the copy does not know: a payment that is paid, a refund, deliveries, and what only Stripe knows. */
async function goOn(stand: Stand, receiver: MerchantServer, { key, other, open }: Live, waiting: string) {
  const { stripe } = stand;
  await stand.start();
  await stand.takeNotifications();
  const shop = stand.client(key);
  const payment = await shop.createPayment(ORDER);
  await stand.pay(shop, payment.id);
  const refund = await shop.requestRefund(other, { amount: baht(10_000) });
  await stand.pay(shop, open);
  const openPaid = stripe.account.events.at(-1) ?? expect.fail('nobody has paid');
  const atStripe = newAttemptRequest();
  await stripeProvider(stripe).initiate(atStripe);
  // First what waited: it has the next number here, too, so the same id.
  await untilDelivered(receiver, waiting);
  const { id: last } = await stand.client().createPayment(ORDER);
  await untilDelivered(receiver, last);
  stripe.advance(AHEAD_MS);
  await stand.start({ isAhead: true });
  // Both refunds are approved by then: that of before the instant, and the lost one.
  await expect.poll(() => stripe.account.refunds.size).toBe(2);
  await stand.kill();
  return { payment: payment.id, refund: refund.id, atStripe, openPaid };
}

async function expectLaws(client: Client): Promise<void> {
  const { conservation, sequence } = lawsOf(client, new Map());
  expect([await conservation(), await sequence()]).toEqual([null, null]);
}

describe.skipIf(mock === null)('a service that is restored to an instant', { tags: 'nightly' }, () => {
  let stripe: StandIn;
  let receiver: MerchantServer;
  let original: Stand;
  let copy: Stand;
  let live: Live;
  let instant: Awaited<ReturnType<typeof reachInstant>>;
  let lost: Awaited<ReturnType<typeof goOn>>;
  /** What had come before the restored service was started. */
  let received: readonly Received[];

  beforeAll(async () => {
    stripe = await startStandIn(mock as NonNullable<typeof mock>);
    receiver = await startMerchantServer();
    original = await Stand.open(stripe);
    copy = await Stand.open(stripe);
    return async () => {
      await original.close();
      await copy.close();
      await receiver.stop();
      await stripe.stop();
      expect(stripe.faults).toEqual([]);
    };
  });

  test('is copied while the service runs, after a week of work, and work goes on', async () => {
    await original.start();
    await original.client().createWebhookEndpoint({ url: receiver.url });
    await liveAWeek(original.client());
    live = await beginLive(original);
    instant = await reachInstant(original, copy, live);
    lost = await goOn(original, receiver, live, instant.waiting);
    received = eventsAt(receiver);
    await copy.start({ isPaused: true, isAhead: true });
  });

  const reportWith = async (lines: readonly string[]) => {
    const file = path.join(copy.dir, 'received.jsonl');
    await writeFile(file, lines.join('\n'));
    const compared = ['--received', file, '--merchant', 'demo', '--mode', 'test'];
    return ['restore', 'report', '--since', instant.since, ...compared];
  };
  const readReport = async () => copy.admin(await reportWith(received.map((event) => JSON.stringify(event))));

  test('while it is paused, the report names exactly what was lost', async () => {
    const report = await readReport();
    expect(report.missing).toEqual([
      expect.objectContaining({ kind: 'payment', id: lost.atStripe.paymentId, state: 'open' }),
      {
        merchant: 'shop',
        kind: 'payment',
        id: lost.payment,
        payment_id: lost.payment,
        reference: intentOf(stripe, lost.payment).id,
        amount: ORDER.amount,
        state: 'paid',
        created_at: expect.stringMatching(/Z$/),
        to_do: expect.stringContaining('The payer has paid.'),
      },
      expect.objectContaining({
        kind: 'refund',
        id: lost.refund,
        payment_id: live.other,
        amount: baht(10_000),
        state: 'open',
        to_do: expect.stringContaining('not to request it again'),
      }),
    ]);
    expect(report.unread).toEqual([]);
    expect(report.open).toEqual([expect.objectContaining({ kind: 'payment', id: live.open })]);
    const lostEvents = new Map(
      received
        .map(({ id, sequence }) => [sequence, id] as const)
        .filter(([sequence]) => sequence > instant.lastSequence),
    );
    expect(report.lost_events.map(({ sequence, id }: Received) => [sequence, id])).toEqual(
      [...lostEvents].toSorted(([one], [other]) => one - other),
    );
    expect(lostEvents.size).toBeGreaterThan(1);
  });

  test('while it is paused, the report says what waits, and none of it is sent', async () => {
    const world = { id: worldIdOf('shop', 'live'), epoch: 1 };
    await copy.put({ ...claimKey(world, 'hash'), status: 'INPROGRESS' });
    const { worlds } = await readReport();
    expect(worlds).toEqual([
      expect.objectContaining({
        merchant: 'demo',
        mode: 'test',
        last_sequence: instant.lastSequence,
        outbox_entries: 1,
        claims_open: 0,
      }),
      expect.objectContaining({ merchant: 'shop', mode: 'live', outbox_entries: 1, claims_open: 1 }),
    ]);
    expect([receiver.received.length, stripe.account.refunds.size]).toEqual([received.length, 2]);
  });

  test('for people, the report has a line for each loss, with what to do', async () => {
    const printed = await copy.print(await reportWith([JSON.stringify({ id: 'evt_1', sequence: 99_999 })]));
    for (const id of [lost.payment, lost.atStripe.paymentId, lost.refund]) {
      expect(printed).toMatch(new RegExp(`${id} .*\\n  [A-Z].*\\.`));
    }
    expect(printed).toMatch(/99999 +evt_1/);
    stripe.script('GET /v1/refunds', { status: 500, body: '{}' });
    expect(await copy.print(await reportWith([]))).toContain(
      'Not compared: shop (stripe responded with an error',
    );
  });

  test.each(['{"id":"evt_1"}', 'evt_1', '{"id":1,"sequence":2}', 'null'])(
    'a line of received events that is %s is named',
    async (line) => {
      const printing = copy.print(await reportWith(['{"id":"evt_1","sequence":1}', '', line]));
      await expect(printing).rejects.toThrow(/Line 3 of .*received.jsonl is no event/);
    },
  );

  test('after go, what waited comes under the same id, no money moves twice, and every law holds', async () => {
    await copy.start({ isAhead: true });
    const [demo, shop] = [copy.client(), copy.client(live.key)];
    const url = await copy.takeNotifications();
    expect(await stripe.send(lost.openPaid, url)).toEqual([200]);
    await expect.poll(async () => (await shop.getPayment(live.open)).status).toBe('succeeded');
    await expect.poll(async () => (await shop.getRefund(instant.refund)).status).toBe('processing');
    const again = await shop.requestRefund(
      live.paid,
      { amount: baht(20_000) },
      { idempotencyKey: KNOWN_REFUND_KEY },
    );
    expect(again.id).toBe(instant.refund);
    expect([stripe.account.refunds.size, intentOf(stripe, live.open).status]).toEqual([2, 'succeeded']);
    await expect.poll(() => idsOf(receiver, instant.waiting).length).toBe(2);
    expect(new Set(idsOf(receiver, instant.waiting)).size).toBe(1);
    const missed = async () => {
      const ids = new Set(receiver.ids());
      const without: string[] = [];
      for await (const { id, type } of demo.listEvents({ limit: 100 })) {
        // An endpoint does not get its own beginning.
        without.push(...(ids.has(id) || type === 'webhook_endpoint.created' ? [] : [id]));
      }
      return without;
    };
    await expect.poll(missed).toEqual([]);
    await expectLaws(demo);
    await expectLaws(shop);
  });
});
