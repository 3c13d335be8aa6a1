import { operations } from '../../shared/contract/operations.ts';
import type { Scene } from './scene.ts';
import type { Answer } from './simulated-client.ts';

/*
 * Many acts about one thing, one after another: what a client of commands comes to only now and then.
 */

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;
const PAID_MINOR = 1_000;
const SETTLE_PAUSE_MAX_MS = 300;

/** A payment in a drama, and the refunds that were requested of it, oldest first. */
interface Life {
  readonly id: string;
  readonly refunds: string[];
}

type Act = (scene: Scene, life: Life, part: string) => Promise<Answer | undefined>;

const say =
  (outcome: string): Act =>
  (scene, { id }, part) =>
    scene.call(operations.simulatePayment, { params: { id }, body: { outcome } }, part);
const refund =
  (body: object): Act =>
  async (scene, { id, refunds }, part) => {
    const answer = await scene.call(operations.requestRefund, { params: { id }, body }, part);
    if (answer.status < 300) {
      refunds.push(String(answer.json.id));
    }
    return answer;
  };
const pass =
  (seconds: number): Act =>
  (scene, _, part) =>
    scene.pass(seconds, part);
/** The last refund has an outcome. */
const endRefund =
  (outcome: string): Act =>
  async (scene, { refunds }, part) => {
    const id = refunds.at(-1);
    return id === undefined
      ? undefined
      : scene.call(operations.simulateRefund, { params: { id }, body: { outcome } }, part);
  };

const refundSome = refund({ amount: thb(600) });
/** What is left of a payment is all of it. */
const refundAll: Act = async (scene, life, part) => {
  const answer = await refund({})(scene, life, part);
  const left = scene.watch.leftAfter(String(answer?.json.id));
  if (left !== undefined && left !== 0) {
    scene.watch.break('refundable', `a refund of all that is left leaves ${left} satang`);
  }
  return answer;
};
const cancelRefund: Act = async (scene, { refunds }, part) => {
  const id = refunds.at(-1);
  return id === undefined ? undefined : scene.call(operations.cancelRefund, { params: { id } }, part);
};

/** What can happen to a payment that ends after a minute. */
const ACTS = {
  succeed: say('succeeded'),
  fail: say('failed'),
  hold: say('pending'),
  mismatch: say('mismatch'),
  cancel: (scene, { id }, part) => scene.call(operations.cancelPayment, { params: { id } }, part),
  passMinute: pass(MINUTE_SECONDS + 1),
  refundSome,
  refundAll,
  refundAllMeanwhile: async (scene, life, part) => {
    await refundSome(scene, life, `${part} some`);
    const [, answer] = await Promise.all([
      cancelRefund(scene, life, `${part} cancel`),
      refundAll(scene, life, `${part} all`),
    ]);
    return answer;
  },
  refundRejected: refund({ amount: thb(200), reason_code: 9999 }),
  paidBack: endRefund('succeeded'),
  notPaidBack: endRefund('failed'),
  cancelRefund,
  passApproval: pass(16 * MINUTE_SECONDS),
} as const satisfies Readonly<Record<string, Act>>;
export type PaymentAct = keyof typeof ACTS;
/** As often as they come. */
export const PAYMENT_ACTS: readonly PaymentAct[] = [
  ...(Object.keys(ACTS) as PaymentAct[]),
  'refundSome',
  'refundSome',
  'refundAll',
  'refundAll',
  'cancelRefund',
];

interface PaymentDrama {
  readonly isPaid: boolean;
  readonly acts: readonly PaymentAct[];
  readonly method: string | undefined;
  /** How many of them at once. */
  readonly together: number;
}

/** A payment, and all that is done to it. */
export async function livePayment(scene: Scene, drama: PaymentDrama): Promise<void> {
  const { isPaid, acts, method, together } = drama;
  const body = { amount: thb(PAID_MINOR), expires_in_minutes: 1, method };
  const { json } = await scene.call(operations.createPayment, { body }, 'create');
  const life: Life = { id: String(json.id), refunds: [] };
  if (isPaid) {
    await say('succeeded')(scene, life, 'pay');
  }
  await inGroups(acts, together, (name, nth) => ACTS[name](scene, life, `act ${nth}`));
}

export const LINK_ACTS = [
  'pay',
  'pay',
  'failLast',
  'succeedLast',
  'succeedFirst',
  'passTime',
  'disable',
  'disable',
] as const;
type LinkAct = (typeof LINK_ACTS)[number];
/** Money comes late for a link of one use, which another payer has. */
export const OVERPAID: LinkAct[] = ['pay', 'passTime', 'pay', 'succeedFirst'];

interface LinkDrama {
  readonly acts: readonly LinkAct[];
  readonly maxUses: number;
  readonly together: number;
}

/** A link of a few uses, and what its payers do. */
export async function liveLink(scene: Scene, { acts, maxUses, together }: LinkDrama): Promise<void> {
  const body = { amount: { type: 'fixed', fixed: thb(PAID_MINOR) }, max_uses: maxUses };
  const { json: link } = await scene.call(operations.createPaymentLink, { body }, 'create');
  await inGroups(acts, together, async (act, nth) => {
    const part = `act ${nth}`;
    const { data } = (await scene.call(operations.listPayments, { query: { limit: '20' } })).json as {
      data?: readonly { readonly id: string; readonly payment_link_id: string | null }[];
    };
    const its = (data ?? []).filter((it) => it.payment_link_id === link.id);
    const [last, first] = [its.at(0), its.at(-1)];
    if (act === 'pay') {
      await scene.send(scene.client.formOf(String(link.url), { attempt: scene.keyOf(part) }));
    } else if (act === 'passTime') {
      await scene.pass(16 * MINUTE_SECONDS, part);
    } else if (act === 'disable') {
      await scene.call(operations.disablePaymentLink, { params: { id: String(link.id) } }, part);
    } else if (last !== undefined && first !== undefined) {
      const [id, outcome] = {
        failLast: [last.id, 'failed'],
        succeedLast: [last.id, 'succeeded'],
        succeedFirst: [first.id, 'succeeded'],
      }[act] as [string, string];
      const faults = scene.faults();
      const { status, json } = await scene.call(
        operations.simulatePayment,
        { params: { id }, body: { outcome } },
        part,
      );
      const isRefused = status === 409 || (status === 503 && scene.faults() === faults);
      if (outcome === 'succeeded' && isRefused && json.code !== 'invalid_state') {
        scene.watch.break('life', `money for ${id} was refused by ${json.code}`);
      }
    }
  });
}

export const PAYOUT_OUTCOMES = ['paid', 'failed', 'returned'] as const;

/** A statement that does not match is repeated after more money came: it gets its first result again. */
export async function liveStatement(scene: Scene): Promise<void> {
  const body = { provider: scene.keyOf('bank').slice(0, 60), amount: thb(1) };
  await paidPayment(scene, 'first');
  const first = await scene.call(operations.simulateSettlement, { body }, 'state');
  await paidPayment(scene, 'second');
  const again = await scene.call(operations.simulateSettlement, { body }, 'state again');
  const isOfOneDay = dayOf(first) === dayOf(again);
  if (first.status === 200 && first.json.outcome === 'mismatched' && isOfOneDay && again.status === 409) {
    scene.watch.break('life', `the repeat of a statement was refused by ${again.json.code}`);
  }
}

/** The day in Bangkok, by the merchant's clock. */
function dayOf({ headers }: Answer): string {
  return new Date(Date.parse(String(headers['pg-clock'])) + 7 * 3_600_000).toISOString().slice(0, 10);
}

/** A move of the clock beside a purge, and another one with its key: each is of its own length. */
export async function liveThroughPurge(scene: Scene): Promise<void> {
  const move = (seconds: number) =>
    scene.client.requestOf(operations.advanceClock, { body: { seconds } }, scene.keyOf('move'));
  await Promise.all([scene.client.sendOnce(move(MINUTE_SECONDS)), scene.purge('purge')]);
  await scene.client.sendUntilAnswered(move(2 * MINUTE_SECONDS));
}

/** A refusal leaves the key to a corrected request, at once. */
export async function correctRefusal(scene: Scene): Promise<void> {
  const params = { id: (await paidPayment(scene, 'create')).id };
  const faults = scene.faults();
  const request = (minor: number) =>
    scene.client.requestOf(
      operations.requestRefund,
      { params, body: { amount: thb(minor) } },
      scene.keyOf('refund'),
    );
  const refused = await scene.client.sendOnce(request(2 * PAID_MINOR));
  const corrected = await scene.client.sendOnce(request(1));
  const isCalm = scene.faults() === faults && refused?.status === 422;
  if (isCalm && /^idempotency_/.test(String(corrected?.json.code))) {
    scene.watch.break('key-reuse', 'a refusal keeps the key from a corrected request');
  }
}

/** Money that is paid out, and what becomes of it at the bank; then what is left is settled again. */
export async function livePayout(
  scene: Scene,
  { outcomes, isRefunded }: { readonly outcomes: readonly string[]; readonly isRefunded: boolean },
): Promise<void> {
  const life = await paidPayment(scene, 'create');
  for (const round of ['first', 'second', 'third']) {
    const isRefunding = isRefunded && round !== 'third';
    if (isRefunding) {
      await refund({ amount: thb(500) })(scene, life, `${round} refund`);
    }
    const [settled] = await Promise.all([
      scene.call(
        operations.simulateSettlement,
        { body: { provider: scene.keyOf(round).slice(0, 60) } },
        round,
      ),
      isRefunding ? endRefund('succeeded')(scene, life, `${round} paid back`) : undefined,
    ]);
    const { payout_id: payoutId } = settled.json;
    for (const [nth, outcome] of typeof payoutId === 'string' ? outcomes.entries() : []) {
      await scene.call(
        operations.simulatePayout,
        { params: { id: String(payoutId) }, body: { outcome } },
        `${round} ${nth}`,
      );
    }
  }
}

/** A refund about the end of its window: taken before it, and refused after it. */
export async function liveToLastRefund(scene: Scene, isAfter: boolean): Promise<void> {
  const life = await paidPayment(scene, 'create');
  const { json: payment } = await scene.call(operations.getPayment, { params: { id: life.id } });
  const paidMs = Date.parse(String(payment.succeeded_at));
  const moved = await scene.pass(180 * DAY_SECONDS + (isAfter ? 3_600 : -3_600), 'pass');
  const answer = await refund({})(scene, life, 'refund');
  const sinceMs = scene.clockMs - paidMs;
  const isSurelyOver = sinceMs > (180 * DAY_SECONDS + 600) * 1_000;
  if (moved?.status === 200 && isSurelyOver && Number(answer?.status) < 300) {
    scene.watch.break('due-time', `${life.id} is refunded ${sinceMs} ms after it was paid`);
  }
}

/** The first money of a day comes while the day is settled. */
export async function settleBesideMoney(scene: Scene): Promise<void> {
  await scene.pass(DAY_SECONDS, 'day');
  await Promise.all([paidPayment(scene, 'first'), paidPayment(scene, 'second'), settleSoon(scene)]);
}

/** Money that is on its way when a clock is moved past its arrival, and a settlement meanwhile. */
export async function settleBesideMove(scene: Scene): Promise<void> {
  const { json } = await scene.call(
    operations.createPayment,
    { body: { amount: thb(PAID_MINOR) } },
    'create',
  );
  const params = { id: String(json.id) };
  const later = { outcome: 'succeeded', delay_seconds: 10 * MINUTE_SECONDS };
  await scene.call(operations.simulatePayment, { params, body: later }, 'later');
  await Promise.all([scene.pass(20 * MINUTE_SECONDS, 'move'), settleSoon(scene)]);
}

async function settleSoon(scene: Scene): Promise<void> {
  await scene.time.pause(scene.pauseMs(SETTLE_PAUSE_MAX_MS));
  const body = { provider: scene.keyOf('bank').slice(0, 60) };
  await scene.call(operations.simulateSettlement, { body }, 'settle');
}

async function paidPayment(scene: Scene, part: string): Promise<Life> {
  const { json } = await scene.call(operations.createPayment, { body: { amount: thb(PAID_MINOR) } }, part);
  const life = { id: String(json.id), refunds: [] };
  await say('succeeded')(scene, life, `${part} paid`);
  return life;
}

async function inGroups<Each>(
  all: readonly Each[],
  size: number,
  act: (each: Each, nth: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < all.length; from += size) {
    await Promise.all(all.slice(from, from + size).map((each, nth) => act(each, from + nth)));
  }
}

function thb(minor: number) {
  return { currency: 'THB', minor };
}
