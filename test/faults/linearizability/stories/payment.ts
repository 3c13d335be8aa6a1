import { operations } from '../../../../shared/contract/operations.ts';
import type { Received } from '../../../support/world/api.ts';
import { type Actor, ALWAYS_ANSWERED, choose, type History, hashOf, thb } from '../history.ts';

/* The limit of the model, and of the concurrent requests of all clients. */
const REFUNDS_MAX = 8;
const UNSURE_REFUNDS_MAX = 6;
const DELAYED_MAX = 5;
const EVENTS = 4;
const REJECTED_REASON = 9_999;
const THINKING_MS = 90;
const UNDER_WAY = ['requested', 'approved', 'processing'];

const BEFORE_MONEY = {
  retrieve: 26,
  list: 6,
  cancel: 5,
  succeed: 5,
  fail: 1.5,
  hold: 3,
  mismatch: 3,
  sayEvent: 9,
  sayLater: 3,
  refund: 4,
  moveClock: 6,
};
const AFTER_MONEY = {
  retrieve: 14,
  list: 4,
  cancel: 2,
  succeed: 2,
  sayEvent: 5,
  refund: 18,
  cancelRefund: 9,
  payBack: 12,
  retrieveRefund: 12,
  moveClock: 4,
};

type Payment = Received<typeof operations.getPayment>['json'];

function shownBy({ status, late, refunded_minor }: Pick<Payment, 'status' | 'late' | 'refunded_minor'>) {
  return { paymentStatus: status, isLate: late, refundedMinor: refunded_minor };
}

/** A payment and its refunds. */
export async function recordPayment(history: History): Promise<void> {
  const { dice } = history;
  const reference = history.newName();
  const minor = dice.between(2, 40) * 100;
  const method = dice.isHit(0.3) ? undefined : dice.pick(['promptpay', 'truemoney', 'bank_transfer']);
  const body = { amount: thb(minor), method, reference, expires_in_minutes: dice.between(1, 4) };
  const id = await create(history, minor, body);
  const pages = new PaymentClients(history, id, reference);

  let isPaid = false;
  const count = dice.between(30, 75);
  await history.run(dice.between(4, 6), count, THINKING_MS, async (actor) => {
    const does = isPaid ? choose(actor.dice, AFTER_MONEY) : choose(actor.dice, BEFORE_MONEY);
    const response = await pages[does](actor);
    isPaid ||= response?.paymentStatus === 'succeeded';
  });
  const last = history.newActor();
  await pages.retrieve(last, ALWAYS_ANSWERED);
  for (const refund of pages.refunds) {
    await pages.retrieveRefund(last, refund);
  }
  await inspectSums(history, id, reference, minor);
}

/** Creates one payment, by one request or by two at once with the same key. */
async function create(history: History, amountMinor: number, body: { method: string | undefined }) {
  const idempotencyKey = history.newName();
  const create = () =>
    history.operation(
      history.newActor(),
      { command: 'create', amountMinor, hasMethod: body.method !== undefined },
      { row: operations.createPayment, sent: { body, idempotencyKey } },
      ({ json, text }) => ({ hash: hashOf(text), expiresAtMs: Date.parse(json.expires_at), id: json.id }),
      ALWAYS_ANSWERED,
    );
  const created = await Promise.all(history.dice.isHit(0.5) ? [create(), create()] : [create()]);
  const id = created[0]?.response?.id;
  if (id === undefined) {
    throw new Error(`no payment was created: ${JSON.stringify(created)}`);
  }
  return id;
}

interface Refund {
  readonly id: string;
  /** As the model counts it. */
  readonly number: number;
}

interface ProviderEvent {
  /** As the model counts it. */
  readonly number: number;
  readonly event_id: string;
  readonly outcome: string;
}

/** What clients do with one payment. */
class PaymentClients {
  readonly refunds: Refund[] = [];
  readonly #history: History;
  readonly #id: string;
  readonly #reference: string;
  readonly #events: readonly ProviderEvent[];
  #delayed = 0;
  #unsureRefunds = 0;

  constructor(history: History, id: string, reference: string) {
    this.#history = history;
    this.#id = id;
    this.#reference = reference;
    this.#events = Array.from({ length: EVENTS }, (_, index) => ({
      number: index + 1,
      event_id: history.newName(),
      outcome: history.dice.pick(['succeeded', 'succeeded', 'pending', 'mismatch', 'failed']),
    }));
  }

  async retrieve(actor: Actor, persistence?: typeof ALWAYS_ANSWERED) {
    const apiRequest = { row: operations.getPayment, sent: this.#sent() };
    const { response } = await this.#history.operation(
      actor,
      { command: 'retrieve' },
      apiRequest,
      ({ json }) => shownBy(json),
      persistence,
    );
    return response;
  }

  async list(actor: Actor) {
    const { response } = await this.#history.operation(
      actor,
      { command: 'list' },
      { row: operations.listPayments, sent: { query: { reference: this.#reference } } },
      ({ json: { data } }) => ({ found: data.length, ...(data[0] && shownBy(data[0])) }),
    );
    return response;
  }

  async cancel(actor: Actor) {
    const { response } = await this.#history.operation(
      actor,
      { command: 'cancel' },
      { row: operations.cancelPayment, sent: this.#sent() },
      ({ json }) => shownBy(json),
    );
    return response;
  }

  succeed(actor: Actor) {
    return this.#simulate(actor, 'succeeded');
  }

  fail(actor: Actor) {
    return this.#simulate(actor, 'failed');
  }

  hold(actor: Actor) {
    return this.#simulate(actor, 'pending');
  }

  mismatch(actor: Actor) {
    return this.#simulate(actor, 'mismatch');
  }

  /** A provider event that may be a repetition, now and then with other content. */
  sayEvent(actor: Actor) {
    const { dice } = actor;
    const { number, event_id, outcome } = dice.pick(this.#events as [ProviderEvent]);
    const said = dice.isHit(0.15) ? dice.pick(['succeeded', 'failed']) : outcome;
    return this.#simulate(actor, said, { event: number }, { event_id });
  }

  async sayLater(actor: Actor) {
    this.#delayed += 1;
    if (this.#delayed > DELAYED_MAX) {
      return null;
    }
    const delay = actor.dice.pick([1, 20, 60]);
    const outcome = actor.dice.pick(['succeeded', 'pending', 'mismatch']);
    return this.#simulate(actor, outcome, { delaySeconds: delay }, { delay_seconds: delay });
  }

  async refund(actor: Actor) {
    if (this.refunds.length >= REFUNDS_MAX || this.#unsureRefunds >= UNSURE_REFUNDS_MAX) {
      return null;
    }
    const { dice } = actor;
    const amountMinor = dice.isHit(0.2) ? 0 : dice.between(1, 12) * 100;
    const isRejected = dice.isHit(0.1);
    const body = {
      ...(amountMinor > 0 && { amount: thb(amountMinor) }),
      ...(isRejected && { reason_code: REJECTED_REASON }),
    };
    const { response, hasTimedOut } = await this.#history.operation(
      actor,
      { command: 'request refund', amountMinor, isRejected },
      { row: operations.requestRefund, sent: this.#sent(body) },
      ({ json: { id, amount, status, created_at } }) => {
        const refund = { id, number: this.refunds.length + 1 };
        this.refunds.push(refund);
        return {
          refund: refund.number,
          amountMinor: amount.minor,
          refundStatus: status,
          createdAtMs: Date.parse(created_at),
        };
      },
    );
    this.#unsureRefunds += hasTimedOut || response === null ? 1 : 0;
    return null;
  }

  async cancelRefund(actor: Actor) {
    const refund = this.#anyRefund(actor);
    if (refund !== null) {
      await this.#history.operation(
        actor,
        { command: 'cancel refund', refund: refund.number },
        { row: operations.cancelRefund, sent: { params: { id: refund.id } } },
        ({ json }) => ({ refundStatus: json.status }),
      );
    }
    return null;
  }

  async payBack(actor: Actor) {
    const refund = this.#anyRefund(actor);
    const outcome = actor.dice.isHit(0.7) ? 'succeeded' : 'failed';
    if (refund !== null) {
      await this.#history.operation(
        actor,
        { command: 'simulate refund', refund: refund.number, outcome },
        { row: operations.simulateRefund, sent: { params: { id: refund.id }, body: { outcome } } },
        ({ json }) => ({ outcome: json.outcome }),
      );
    }
    return null;
  }

  async retrieveRefund(actor: Actor, refund = this.#anyRefund(actor)) {
    if (refund !== null) {
      await this.#history.operation(
        actor,
        { command: 'retrieve refund', refund: refund.number },
        { row: operations.getRefund, sent: { params: { id: refund.id } } },
        ({ json }) => ({ refundStatus: json.status }),
      );
    }
    return null;
  }

  async moveClock(actor: Actor) {
    await this.#history.moveClock(actor, actor.dice.pick([1, 20, 45, 70, 200, 960]));
    return null;
  }

  async #simulate(actor: Actor, outcome: string, more: object = {}, fields: object = {}) {
    await this.#history.operation(
      actor,
      { command: 'simulate', outcome, ...more },
      { row: operations.simulatePayment, sent: this.#sent({ outcome, ...fields }) },
      ({ json }) => ({ outcome: json.outcome, isRepeated: json.replayed }),
    );
    return null;
  }

  #anyRefund({ dice }: Actor): Refund | null {
    return this.refunds.length === 0 ? null : dice.pick(this.refunds as [Refund]);
  }

  #sent(body?: object) {
    return { params: { id: this.#id }, body };
  }
}

/** Outside the model: the sums over all refunds, also of those whose request got no response. */
async function inspectSums(history: History, id: string, reference: string, minor: number): Promise<void> {
  const { inspection } = history;
  const { json: payment } = await history.call(operations.getPayment, { params: { id } });
  const query = { payment_id: id, limit: '100' };
  const { data: refunds } = (await history.call(operations.listRefunds, { query })).json;
  const sumOf = (statuses: readonly string[]) =>
    refunds
      .filter(({ status }) => statuses.includes(status))
      .reduce((sum, { amount }) => sum + amount.minor, 0);
  const done = sumOf(['succeeded']);
  inspection.that(
    done === payment.refunded_minor,
    `${done} satang were refunded, and ${payment.refunded_minor} are shown (${history.id})`,
  );
  const held = done + sumOf(UNDER_WAY);
  inspection.that(held <= minor, `${held} satang of ${minor} are refunded or will be (${history.id})`);
  const { data } = (await history.call(operations.listPayments, { query: { reference } })).json;
  inspection.that(data.length === 1, `one key made ${data.length} payments (${history.id})`);
}
