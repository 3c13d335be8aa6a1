import fc from 'fast-check';
import { operations } from '../../shared/contract/operations.ts';
import { pick } from '../faults/model/commands.ts';
import {
  correctRefusal,
  LINK_ACTS,
  liveLink,
  livePayment,
  livePayout,
  liveStatement,
  liveThroughPurge,
  liveToLastRefund,
  OVERPAID,
  PAYMENT_ACTS,
  PAYOUT_OUTCOMES,
  type PaymentAct,
  settleBesideMoney,
  settleBesideMove,
} from './dramas.ts';
import { forkWorld } from './forks.ts';
import { type Bounds, liveOpenLink, openAmount, payTyped, repeatEnded, TYPED_COUNT } from './open-links.ts';
import { PROBES } from './probes.ts';
import type { Scene } from './scene.ts';
import {
  createBesideMove,
  expireAfterMove,
  expireTogether,
  forkBeside,
  MEANWHILE_KINDS,
  payBeforeEnd,
  purgeBehindSlow,
  purgeBeside,
} from './timed-dramas.ts';

/*
 * What clients do beside the commands that a model predicts: each says itself what must come of it.
 */

interface ErrandEntry<Args> {
  readonly weight: number;
  readonly args: fc.Arbitrary<Args>;
  readonly run: (scene: Scene, args: Args) => Promise<void>;
}

const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * SECOND_MS;
const ID = /(?:pay|ref|pot|lnk)_[0-9a-z]{26}/;
const index = fc.nat(3);
const typed = fc.nat(TYPED_COUNT - 1);
const bounds = fc.constantFrom<Bounds>([null, null], [2_000, null], [2_000, 129_950], [null, 5_005]);
/** How many acts happen at once. */
const together = fc.constantFrom(1, 1, 2, 3);
const anyMethod = fc.constantFrom('promptpay', undefined);
const paymentActs = fc.array(fc.constantFrom<PaymentAct>(...PAYMENT_ACTS), { minLength: 3, maxLength: 7 });

export const ERRANDS = {
  /** A payment that ends soon, with what lists filter by. */
  shortPayment: errand(
    3,
    {
      expires_in_minutes: fc.constantFrom(1, 2, 15, 60),
      who: fc.nat(2),
      method: fc.constantFrom('promptpay', 'linepay', undefined),
    },
    async (scene, { who, method, expires_in_minutes }) => {
      const body = {
        amount: { currency: 'THB', minor: 1_000 + who },
        method,
        expires_in_minutes,
        reference: `order-${who}`,
        customer: { email: `Payer${who}@example.com` },
        metadata: { cart: who, shop: 'siam', till: 7 },
      };
      scene.known.learn({ kind: 'createPayment' }, await scene.call(operations.createPayment, { body }));
    },
  ),
  /** A link that payers enter an amount for, or that ends soon. */
  openLink: errand(
    2,
    {
      bounds,
      max_uses: fc.constantFrom(undefined, 1, 2),
      ends: fc.constantFrom(null, null, 60, 900),
    },
    async (scene, { bounds, max_uses, ends }) => {
      const body = {
        amount: openAmount(bounds),
        ...(max_uses && { max_uses }),
        ...(ends && { expires_at: new Date(scene.clockMs + ends * SECOND_MS).toISOString() }),
      };
      scene.known.learn({ kind: 'createLink' }, await scene.call(operations.createPaymentLink, { body }));
    },
  ),
  /** A payer enters an amount, and gets what the payer typed. */
  payLink: errand(4, { index, typed }, async (scene, { typed: nth, ...at }) => {
    const link = pick(scene.known.links, at);
    if (link !== undefined) {
      await payTyped(scene, link, nth, 'pay');
    }
  }),
  endedLink: errand(1, {}, repeatEnded),
  openLinkPaid: errand(2, { bounds, all: fc.array(typed, { minLength: 3, maxLength: 5 }) }, liveOpenLink),
  /** A payer chooses how to pay. */
  choose: errand(
    3,
    { index, method: fc.constantFrom('promptpay', 'truemoney', 'bank_transfer', 'direct_debit') },
    async (scene, { method, ...at }) => {
      const pageUrl = pick(
        scene.known.payments.filter((it) => it.pageUrl !== null),
        at,
      )?.pageUrl;
      if (pageUrl) {
        await scene.send(scene.client.formOf(pageUrl, { method }));
      }
    },
  ),
  /** Money of another amount comes, and is shown. */
  mismatch: errand(2, { index, minor: fc.constantFrom(1, 700) }, async (scene, { minor, ...at }) => {
    const payment = pick(scene.known.payments, at);
    if (payment === undefined) {
      return;
    }
    const params = { id: payment.id };
    const body = { outcome: 'mismatch', amount: thb(minor) };
    const { status } = await scene.call(operations.simulatePayment, { params, body });
    const { received, status: shown } = (await scene.call(operations.getPayment, { params })).json as {
      received?: { minor: number } | null;
      status?: string;
    };
    if (status === 200 && shown === 'processing' && received === null) {
      scene.watch.break('amount', `${payment.id} does not show what was received`);
    }
  }),
  handle: errand(1, { index }, async (scene, at) => {
    const payment = pick(scene.known.payments, at);
    if (payment !== undefined) {
      await scene.call(operations.markPaymentHandled, { params: { id: payment.id }, body: { note: 'seen' } });
    }
  }),
  /** Long enough for every window to close. */
  wait: errand(1, { days: fc.constantFrom(2, 31, 180, 181) }, async (scene, { days }) => {
    await scene.call(operations.advanceClock, { body: { seconds: days * DAY_SECONDS } });
  }),
  createEndpoint: errand(
    2,
    { events: fc.constantFrom(['*'], ['payment.*'], ['refund.succeeded', 'payment.succeeded']) },
    async (scene, { events }) => {
      // Each has a secret of its own.
      const url = `https://shop-${scene.stepNumber}.example.com/hook`;
      const { status, json } = await scene.call(operations.createWebhookEndpoint, { body: { url, events } });
      if (status === 201) {
        scene.known.endpoints.push({ id: String(json.id), url });
        scene.shops.learn(url, String(json.secret), scene.time.nowMs, Number.POSITIVE_INFINITY);
        if (events[0] === '*') {
          scene.watch.posts.watch(url);
        }
      }
    },
  ),
  /** What happens soon after is signed by both. */
  rotate: errand(
    2,
    { index, overlap_hours: fc.constantFrom(0, 1, 24, 24) },
    async (scene, { overlap_hours, ...at }) => {
      const endpoint = pick(scene.known.endpoints, at);
      if (endpoint !== undefined) {
        const sentMs = scene.time.nowMs;
        scene.shops.beginChange(endpoint.url);
        const sent = { params: { id: endpoint.id }, body: { overlap_hours } };
        const { status, json } = await scene.call(operations.rotateWebhookSecret, sent);
        if (status === 200) {
          scene.shops.learn(endpoint.url, String(json.secret), sentMs, overlap_hours * 3_600 * SECOND_MS);
          await scene.call(operations.createPayment, { body: { amount: thb(1_000) } }, 'next');
        }
      }
    },
  ),
  switchEndpoint: errand(1, { index, enabled: fc.boolean() }, async (scene, { enabled, ...at }) => {
    const endpoint = pick(scene.known.endpoints, at);
    if (endpoint !== undefined) {
      scene.watch.posts.leaveOut(endpoint.url);
      const sent = { params: { id: endpoint.id }, body: { enabled } };
      await scene.call(operations.updateWebhookEndpoint, sent);
    }
  }),
  deleteEndpoint: errand(1, { index }, async (scene, at) => {
    const endpoint = pick(scene.known.endpoints, at);
    if (endpoint !== undefined) {
      scene.watch.posts.leaveOut(endpoint.url);
      await scene.call(operations.deleteWebhookEndpoint, { params: { id: endpoint.id } });
    }
  }),
  recover: errand(1, { index }, async (scene, at) => {
    const endpoint = pick(scene.known.endpoints, at);
    if (endpoint !== undefined) {
      scene.watch.posts.leaveOut(endpoint.url);
      const since = new Date(scene.clockMs - DAY_MS).toISOString();
      await scene.call(operations.recoverEvents, { params: { id: endpoint.id }, body: { since } });
    }
  }),
  /** A key that had its effect is refused for another request, about another resource. */
  reuseKey: errand(2, { index }, async (scene, at) => {
    const before = pick(
      scene.known.sent.filter(({ path }) => ID.test(path)),
      at,
    );
    const expectation = before && scene.watch.answers.expectationOf(scene.merchant, before);
    if (before !== undefined && expectation) {
      const path = before.path.replace(ID, (id) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0'));
      const answer = await scene.client.sendUntilAnswered({ ...before, path });
      scene.watch.answers.judgeReused(expectation, answer);
    }
  }),
  /** A day later a key is free: what it had asked for is asked for anew. */
  dayLater: errand(1, { index, hours: fc.constantFrom(22, 24.3, 24.9) }, async (scene, { hours, ...at }) => {
    const before = pick(
      scene.known.sent.filter(({ path }) => !path.includes('webhook-endpoints')),
      at,
    );
    if (before !== undefined) {
      await scene.time.pause(hours * 3_600 * SECOND_MS);
      await scene.repeat(before);
    }
  }),
  payment: errand(6, { isPaid: fc.boolean(), acts: paymentActs, method: anyMethod, together }, livePayment),
  link: errand(
    5,
    {
      acts: fc.oneof(
        { weight: 3, arbitrary: fc.array(fc.constantFrom(...LINK_ACTS), { minLength: 4, maxLength: 8 }) },
        { weight: 1, arbitrary: fc.constant(OVERPAID) },
      ),
      maxUses: fc.constantFrom(1, 1, 2),
      together,
    },
    liveLink,
  ),
  payout: errand(
    2,
    {
      outcomes: fc.array(fc.constantFrom(...PAYOUT_OUTCOMES), { minLength: 1, maxLength: 3 }),
      isRefunded: fc.boolean(),
    },
    livePayout,
  ),
  fork: errand(1, {}, async (scene) => {
    const copy = await forkWorld(scene, 'fork');
    if (copy !== null) {
      scene.known.copies.push(copy);
    }
  }),
  forkBeside: errand(1, {}, forkBeside),
  statement: errand(1, {}, liveStatement),
  settleBesideMove: errand(2, {}, settleBesideMove),
  settleBesideMoney: errand(2, {}, settleBesideMoney),
  throughPurge: errand(1, {}, liveThroughPurge),
  purgeBeside: errand(2, {}, purgeBeside),
  createBesideMove: errand(2, {}, createBesideMove),
  expireTogether: errand(
    5,
    { kind: fc.constantFrom(...MEANWHILE_KINDS), isFirst: fc.boolean() },
    expireTogether,
  ),
  payBeforeEnd: errand(1, {}, payBeforeEnd),
  expireAfterMove: errand(2, { isQuiet: fc.boolean() }, expireAfterMove),
  purgeBehindSlow: errand(2, {}, purgeBehindSlow),
  correct: errand(2, {}, correctRefusal),
  lastRefund: errand(1, { isAfter: fc.boolean() }, (scene, { isAfter }) => liveToLastRefund(scene, isAfter)),
  purge: errand(1, {}, async (scene) => {
    await scene.purge('purge');
  }),
  probe: errand(6, { nth: fc.nat(PROBES.length - 1), index }, async (scene, { nth, index: at }) => {
    await PROBES[nth]?.run(scene, at);
  }),
} as const;

export type ErrandKind = keyof typeof ERRANDS;
export interface Errand {
  readonly errand: ErrandKind;
  readonly args: object;
}

export const anyErrand: fc.Arbitrary<Errand> = fc.oneof(
  ...Object.entries(ERRANDS).map(([kind, { weight, args }]) => ({
    weight,
    arbitrary: (args as fc.Arbitrary<object>).map((chosen) => ({ errand: kind as ErrandKind, args: chosen })),
  })),
);

export async function runErrand(scene: Scene, { errand: kind, args }: Errand): Promise<void> {
  await (ERRANDS[kind] as ErrandEntry<object>).run(scene, args);
}

function errand<Args>(
  weight: number,
  args: { [Name in keyof Args]: fc.Arbitrary<Args[Name]> },
  run: ErrandEntry<Args>['run'],
): ErrandEntry<Args> {
  return { weight, args: fc.record(args) as fc.Arbitrary<Args>, run };
}

function thb(minor: number) {
  return { currency: 'THB', minor };
}
