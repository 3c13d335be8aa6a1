import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../../shared/contract/operations.ts';
import type { Caller } from './caller.ts';
import type { Dice } from './dice.ts';

const THINKING_MS = 200;
const COPIED = 0.15;
const LINK_USES = 3;
const MOVES_AT_ONCE = 2;

/** What the stories of one merchant know, besides its responses. */
export interface Plot {
  /** Payments that no story touches again: they expire. */
  readonly abandoned: string[];
  /** Payments that the provider reports as paid later. */
  readonly paidLater: string[];
  /** Moves of the clock that have no response yet. */
  movesUnderWay: number;
}

interface Scene {
  readonly caller: Caller;
  readonly sinkId: string;
  readonly dice: Dice;
  /** A key that no other call has. */
  readonly newKey: () => string;
  readonly plot: Plot;
}

const thb = (minor: number) => ({ currency: 'THB', minor });

/** How many copies are sent at once, with the same key. */
function copiesBy({ dice }: Scene): number {
  return dice.isHit(COPIED) ? 2 : 1;
}

/** So that a story takes time, in which things break. */
function think({ dice }: Scene): Promise<void> {
  return sleep(dice.between(0, THINKING_MS));
}

async function createPayment(scene: Scene, more: object = {}) {
  const { caller, dice, newKey } = scene;
  const key = newKey();
  const method = dice.pick(['promptpay', 'truemoney', 'bank_transfer']);
  const body = { amount: thb(dice.between(300, 90_000)), method, reference: key, ...more };
  const payment = await caller.call(operations.createPayment, key, { body }, copiesBy(scene));
  await think(scene);
  return payment;
}

async function simulatePayment(scene: Scene, id: string, body: object) {
  const { caller, newKey } = scene;
  const answer = await caller.call(
    operations.simulatePayment,
    newKey(),
    { params: { id }, body },
    copiesBy(scene),
  );
  await think(scene);
  return answer;
}

async function refund(scene: Scene, id: string, minor: number): Promise<void> {
  const { caller, dice, newKey } = scene;
  const key = newKey();
  const body = { amount: thb(minor), reason: key, reason_code: dice.pick([1, 2, 9999]) };
  const requested = await caller.call(
    operations.requestRefund,
    key,
    { params: { id }, body },
    copiesBy(scene),
  );
  await think(scene);
  const params = { id: String(requested?.id) };
  const ending = dice.pick(['paid back', 'paid back', 'failed', 'canceled', 'left to itself']);
  if (requested === null || ending === 'left to itself') {
    return;
  }
  if (ending === 'canceled') {
    await caller.call(operations.cancelRefund, newKey(), { params }, copiesBy(scene));
  } else {
    const outcome = ending === 'failed' ? 'failed' : 'succeeded';
    await caller.call(operations.simulateRefund, newKey(), { params, body: { outcome } }, copiesBy(scene));
  }
}

const STORIES = {
  async pay(scene: Scene) {
    const payment = await createPayment(scene);
    if (payment === null) {
      return;
    }
    const { id, amount } = payment;
    await simulatePayment(scene, id, { outcome: 'succeeded' });
    for (let refunds = scene.dice.between(0, 2); refunds > 0; refunds -= 1) {
      await refund(scene, id, Math.floor(amount.minor / 2));
    }
  },

  async fail(scene: Scene) {
    const payment = await createPayment(scene);
    if (payment !== null) {
      await simulatePayment(scene, payment.id, {
        outcome: scene.dice.pick(['failed', 'pending', 'mismatch']),
      });
      await simulatePayment(scene, payment.id, { outcome: scene.dice.pick(['failed', 'succeeded']) });
    }
  },

  async cancel(scene: Scene) {
    const payment = await createPayment(scene);
    if (payment !== null) {
      const sent = { params: { id: payment.id } };
      await scene.caller.call(operations.cancelPayment, scene.newKey(), sent, copiesBy(scene));
    }
  },

  async abandon(scene: Scene) {
    const payment = await createPayment(scene, { expires_in_minutes: scene.dice.between(1, 4) });
    if (payment !== null) {
      scene.plot.abandoned.push(payment.id);
    }
  },

  async payLater(scene: Scene) {
    const payment = await createPayment(scene);
    if (payment !== null) {
      const body = { outcome: 'succeeded', delay_seconds: scene.dice.between(5, 300) };
      if ((await simulatePayment(scene, payment.id, body)) !== null) {
        scene.plot.paidLater.push(payment.id);
      }
    }
  },

  async payByLink(scene: Scene) {
    const { caller, dice, newKey } = scene;
    const body = { amount: { type: 'fixed', fixed: thb(dice.between(300, 9_000)) }, max_uses: LINK_USES };
    const link = await caller.call(operations.createPaymentLink, newKey(), { body }, copiesBy(scene));
    await think(scene);
    for (let use = dice.between(1, LINK_USES); use > 0 && link !== null; use -= 1) {
      const page = await caller.sendForm(link.url, newKey(), copiesBy(scene));
      const payment = page === null ? undefined : await findByPage(caller, page);
      if (payment !== undefined && dice.isHit(0.7)) {
        await simulatePayment(scene, payment.id, { outcome: 'succeeded' });
      }
    }
    if (link !== null && dice.isHit(0.3)) {
      const sent = { params: { id: link.id } };
      await caller.call(operations.disablePaymentLink, newKey(), sent, copiesBy(scene));
    }
  },

  async moveClock(scene: Scene) {
    const { caller, dice, newKey, plot } = scene;
    const seconds = dice.pick([1, 7, 30, 30, 90, 300, 960, 3_600]);
    // Only so many contend for the clock: otherwise all clients would wait for it in the end.
    if (plot.movesUnderWay < MOVES_AT_ONCE) {
      plot.movesUnderWay += 1;
      await caller.call(operations.advanceClock, newKey(), { body: { seconds } }, copiesBy(scene));
      plot.movesUnderWay -= 1;
    }
  },

  async scriptSink(scene: Scene) {
    const { caller, dice, newKey, sinkId: id } = scene;
    const body = { fail_count: dice.between(1, 3), respond_status: dice.pick([200, 302, 404, 500, 503]) };
    await caller.call(operations.updateWebhookSink, newKey(), { params: { id }, body }, copiesBy(scene));
  },

  async settle(scene: Scene) {
    const { caller, dice, newKey } = scene;
    const key = newKey();
    const settled = await caller.call(
      operations.simulateSettlement,
      key,
      { body: { provider: key } },
      copiesBy(scene),
    );
    await think(scene);
    if (settled !== null && settled.payout_id !== null) {
      const body = { outcome: dice.pick(['paid', 'failed', 'returned']) };
      const sent = { params: { id: settled.payout_id }, body };
      await caller.call(operations.simulatePayout, newKey(), sent, copiesBy(scene));
    }
  },
} satisfies Record<string, (scene: Scene) => Promise<void>>;

type Story = keyof typeof STORIES;

const OFTEN: readonly [Story, ...Story[]] = [
  ...(['pay', 'pay', 'pay', 'pay', 'pay', 'fail', 'cancel', 'abandon', 'abandon'] as const),
  ...(['payLater', 'payByLink', 'payByLink', 'moveClock', 'scriptSink', 'settle'] as const),
];

/** Runs one story, from its beginning to its end. */
export async function play(scene: Scene): Promise<void> {
  await STORIES[scene.dice.pick(OFTEN)](scene);
}

async function findByPage(caller: Caller, page: string) {
  const { data } = await caller.read(operations.listPayments, { query: { limit: '100' } });
  return data.find(({ checkout_url }) => checkout_url === page);
}
