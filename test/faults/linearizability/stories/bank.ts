import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../../../shared/contract/operation.ts';
import { operations } from '../../../../shared/contract/operations.ts';
import type { Received } from '../../../support/world/api.ts';
import { type Actor, ALWAYS_ANSWERED, choose, type History, type Persistence, thb } from '../history.ts';

const DAY_MS = 86_400_000;
const BANGKOK_MS = 7 * 3_600_000;
const SECOND_MS = 1_000;
/** As many as the model can hold, together with the day that the clock is about to reach without a move. */
const DAY_MOVES_MAX = 5;
const SHARED_PROVIDERS = 3;
/** In the words of the model: no day is named, or no provider is shared. */
const TODAY = -100;
const NOT_SHARED = -1;
const PAYMENTS_AT_FIRST = 6;
const THINKING_MS = 140;
/** More than all that can be owed to a merchant. */
const LAST_PAYMENT_MINOR = 5_000_000;
const LISTED_WITHIN_MS = 10_000;
const LISTED_POLL_MS = 50;
const LAST_SETTLEMENTS_MAX = 5;

interface Paid {
  readonly id: string;
  readonly minor: number;
  /** The amount that no refund has used yet. */
  leftMinor: number;
}

/** A merchant's money: payments, refunds, settlements and payouts. */
export async function recordBank(history: History): Promise<void> {
  const { dice } = history;
  const firstDay = await moveToMidnight(history);
  history.note({ command: 'open', firstDay }, {});
  const clients = new BankClients(history, firstDay);
  await clients.openPayments(PAYMENTS_AT_FIRST);
  const weights = { pay: 30, refund: 14, settle: 24, simulatePayout: 14, moveClock: 4 };
  await history.run(5, dice.between(30, 60), THINKING_MS, (actor) =>
    clients[choose(actor.dice, weights)](actor),
  );
  const last = history.newActor();
  await clients.pay(last, LAST_PAYMENT_MINOR);
  await clients.settleAll(last);
  await inspectConservation(history);
}

function dayOf(ms: number): number {
  return Math.floor((ms + BANGKOK_MS) / DAY_MS);
}

/** Moves the clock to a few seconds before midnight in Bangkok. */
async function moveToMidnight(history: History): Promise<number> {
  const { json: clock } = await history.call(operations.getClock);
  const nowMs = Date.parse(clock.now);
  const leftMs = (dayOf(nowMs) + 1) * DAY_MS - BANGKOK_MS - nowMs;
  const seconds = Math.max(1, Math.ceil(leftMs / SECOND_MS) - history.dice.between(3, 8));
  const { shifted } = await history.setClock(seconds);
  return dayOf(Date.parse(shifted.to));
}

/** What payers, a merchant, providers and the bank do with the money of one merchant. */
class BankClients {
  readonly #history: History;
  readonly #firstDay: number;
  readonly #open: { id: string; minor: number }[] = [];
  readonly #paid: Paid[] = [];
  /** By id, as the model counts them. */
  readonly #payouts = new Map<string, number>();
  #shared = 0;
  #dayMoves = 0;

  constructor(history: History, firstDay: number) {
    this.#history = history;
    this.#firstDay = firstDay;
  }

  async openPayments(count: number): Promise<void> {
    for (let opened = 0; opened < count; opened += 1) {
      this.#open.push(await this.#newPayment(this.#history.dice.between(1, 900) * 10));
    }
  }

  async pay(actor: Actor, lastMinor?: number) {
    const isLast = lastMinor !== undefined;
    const payment =
      (isLast ? undefined : this.#open.shift()) ??
      (await this.#newPayment(lastMinor ?? actor.dice.between(1, 900) * 10));
    const { id, minor } = payment;
    const { response } = await this.#history.operation(
      actor,
      { command: 'pay', amountMinor: minor },
      { row: operations.simulatePayment, sent: { params: { id }, body: { outcome: 'succeeded' } } },
      () => ({}),
      isLast ? ALWAYS_ANSWERED : undefined,
    );
    if (response?.status === 200) {
      this.#paid.push({ id, minor, leftMinor: minor });
    }
  }

  async refund(actor: Actor): Promise<void> {
    const { dice } = actor;
    const payment = this.#paid.length === 0 ? null : dice.pick(this.#paid as [Paid]);
    if (payment === null || payment.leftMinor === 0) {
      return;
    }
    const minor = dice.isHit(0.3) ? payment.leftMinor : Math.min(payment.leftMinor, dice.between(1, 30) * 10);
    payment.leftMinor -= minor;
    const { json: refund } = await this.#history.call(operations.requestRefund, {
      params: { id: payment.id },
      body: { amount: thb(minor) },
    });
    await this.#history.operation(
      actor,
      { command: 'refund', amountMinor: minor },
      {
        row: operations.simulateRefund,
        sent: { params: { id: refund.id }, body: { outcome: 'succeeded' } },
      },
      () => ({}),
    );
  }

  /** A provider settles today or yesterday, unprompted or repeated, correctly or with another amount. */
  async settle(actor: Actor): Promise<void> {
    const { dice } = actor;
    const isProbe = dice.isHit(0.4);
    const isShared = !isProbe && dice.isHit(0.3);
    const isYesterday = dice.isHit(0.25);
    const shared = isShared ? this.#shared % SHARED_PROVIDERS : NOT_SHARED;
    if (isShared && dice.isHit(0.4)) {
      this.#shared += 1;
    }
    // A shared provider names its day, so that it is repeated for the same day.
    const isNamed = isYesterday || isShared;
    const untilDay = isNamed ? this.#dayOnTheClock() - (isYesterday ? 1 : 0) - this.#firstDay : TODAY;
    await this.#settle(actor, { command: isProbe ? 'probe' : 'settle', shared, untilDay });
  }

  /** One last settlement of all that is left. */
  async settleAll(actor: Actor): Promise<void> {
    await this.#settle(actor, { command: 'settle', shared: NOT_SHARED, untilDay: TODAY }, ALWAYS_ANSWERED);
  }

  async simulatePayout(actor: Actor): Promise<void> {
    const known = [...this.#payouts];
    if (known.length === 0) {
      return;
    }
    const [id, payout] = actor.dice.pick(known as [[string, number]]);
    const outcome = actor.dice.pick(['paid', 'paid', 'failed', 'returned']);
    await this.#history.operation(
      actor,
      { command: 'pay out', payout, outcome },
      { row: operations.simulatePayout, sent: { params: { id }, body: { outcome } } },
      () => ({}),
    );
  }

  async moveClock(actor: Actor): Promise<void> {
    const seconds = actor.dice.pick([1, 2, 5, 30, DAY_MS / SECOND_MS]);
    if (seconds * SECOND_MS === DAY_MS) {
      this.#dayMoves += 1;
    }
    if (this.#dayMoves <= DAY_MOVES_MAX) {
      await this.#history.moveClock(actor, seconds);
    }
  }

  async #newPayment(minor: number) {
    const body = { amount: thb(minor), method: 'promptpay', expires_in_minutes: 600 };
    const { json } = await this.#history.call(operations.createPayment, { body });
    return { id: json.id, minor };
  }

  /** Never one that the clock has not reached. */
  #dayOnTheClock(): number {
    return dayOf(Date.now() + this.#history.movedSeconds * SECOND_MS);
  }

  async #settle(
    actor: Actor,
    request: { command: 'settle' | 'probe'; shared: number; untilDay: number },
    persistence?: Persistence,
  ): Promise<void> {
    const provider =
      request.shared === NOT_SHARED ? `p.${this.#history.newName()}` : `shared-${request.shared}`;
    const valueDate =
      request.untilDay === TODAY
        ? null
        : new Date((request.untilDay + this.#firstDay) * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const body = {
      provider,
      ...(request.command === 'probe' && { amount: thb(1) }),
      ...(valueDate !== null && { value_date: valueDate }),
    };
    await this.#history.operation(
      actor,
      request,
      { row: operations.simulateSettlement, sent: { body } },
      async ({ json }) => ({
        outcome: json.outcome,
        isRepeated: json.replayed,
        ...(json.outcome !== 'empty' && (await this.#lookUp(provider, valueDate, json.payout_id))),
      }),
      persistence,
    );
  }

  /** What was settled, and its payout. */
  async #lookUp(provider: string, valueDate: string | null, payoutId: string | null) {
    const settlement = await this.#findSettlement(provider, valueDate);
    const seen = {
      expectedMinor: settlement.expected.minor,
      day: Date.parse(`${settlement.value_date}T00:00:00Z`) / DAY_MS - this.#firstDay,
    };
    if (payoutId === null) {
      return seen;
    }
    const { json: payout } = await this.#history.call(operations.getPayout, { params: { id: payoutId } });
    const number = this.#payouts.get(payoutId) ?? this.#payouts.size + 1;
    this.#payouts.set(payoutId, number);
    return { ...seen, payout: number, payoutMinor: payout.amount.minor };
  }

  async #findSettlement(provider: string, valueDate: string | null) {
    const { inspection, id } = this.#history;
    const query = { provider, ...(valueDate !== null && { value_date: valueDate }) };
    const giveUpAtMs = Date.now() + LISTED_WITHIN_MS;
    while (Date.now() < giveUpAtMs) {
      const { data } = (await this.#history.call(operations.listSettlements, { query })).json;
      inspection.that(data.length <= 1, `${provider} has settled ${data.length} times (${id})`);
      if (data[0] !== undefined) {
        return data[0];
      }
      await sleep(LISTED_POLL_MS);
    }
    throw new Error(`the settlement of ${provider} is not listed (${id})`);
  }
}

/** Outside the model: when all is settled, all money paid and not refunded is paid out (contract §8). */
async function inspectConservation(history: History): Promise<void> {
  for (let settlement = 1; ; settlement += 1) {
    const [received, paidOut] = await Promise.all([receivedMinor(history), paidOutMinor(history)]);
    if (received === paidOut || settlement > LAST_SETTLEMENTS_MAX) {
      const claim = `${received} satang came in, and ${paidOut} are paid out (${history.id})`;
      history.inspection.that(received === paidOut, claim);
      return;
    }
    // An abandoned request has taken effect meanwhile.
    const minor = LAST_PAYMENT_MINOR;
    const { json: payment } = await history.call(operations.createPayment, {
      body: { amount: thb(minor), method: 'promptpay' },
    });
    const params = { id: payment.id };
    await history.call(operations.simulatePayment, { params, body: { outcome: 'succeeded' } });
    await history.call(operations.simulateSettlement, { body: { provider: `last-${settlement}` } });
  }
}

async function receivedMinor(history: History): Promise<number> {
  const payments = await listAll(history, operations.listPayments);
  const refunds = await listAll(history, operations.listRefunds);
  const isDone = ({ status }: { readonly status: string }) => status === 'succeeded';
  return sumOf(payments.filter(isDone)) - sumOf(refunds.filter(isDone));
}

async function paidOutMinor(history: History): Promise<number> {
  const payouts = await listAll(history, operations.listPayouts);
  return sumOf(payouts.filter(({ status }) => status === 'pending' || status === 'paid'));
}

interface Listed {
  readonly status: string;
  readonly amount: { readonly minor: number };
}

async function listAll(history: History, row: Operation): Promise<Listed[]> {
  const all: Listed[] = [];
  let after: string | null = null;
  do {
    const query: Record<string, string> = { limit: '100', ...(after !== null && { after }) };
    const { json } = (await history.call(row, { query })) as Received<typeof operations.listPayments>;
    all.push(...json.data);
    after = json.next_cursor;
  } while (after !== null);
  return all;
}

function sumOf(things: readonly Listed[]): number {
  return things.reduce((sum, { amount }) => sum + amount.minor, 0);
}
