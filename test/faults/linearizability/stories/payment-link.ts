import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../../../shared/contract/operations.ts';
import { type Actor, ALWAYS_ANSWERED, choose, type History, hashOf, thb } from '../history.ts';

/** As many as the model can hold. */
const ATTEMPTS_MAX = 14;
const THINKING_MS = 90;
/** A list may lag behind a write by a moment. */
const LISTED_WITHIN_MS = 10_000;
const LISTED_POLL_MS = 50;
/** One address may send so many forms a minute, and no more. */
const SENDERS = 200;

/** A payment link: which payers may pay by it, and how often it was used. */
export async function recordPaymentLink(history: History): Promise<void> {
  const { dice } = history;
  const maxUses = dice.between(1, 4);
  const { json: link } = await history.call(operations.createPaymentLink, {
    body: {
      amount: { type: 'fixed', fixed: thb(dice.between(5, 90) * 100) },
      max_uses: maxUses,
      collect: { email: 'off', name: 'off' },
    },
  });
  history.note({ command: 'create', maxUses }, {});
  const clients = new LinkClients(history, link);
  const weights = {
    askForPayment: 28,
    retrieve: 16,
    openPage: 8,
    simulate: 16,
    cancel: 6,
    disable: 0.7,
    moveClock: 4,
  };
  await history.run(dice.between(4, 6), dice.between(30, 60), THINKING_MS, (actor) =>
    clients[choose(actor.dice, weights)](actor),
  );
  await clients.retrieve(history.newActor(), ALWAYS_ANSWERED);
  await inspectUses(history, link.id, maxUses);
}

/** What payers and the merchant do with one link. */
class LinkClients {
  readonly #history: History;
  readonly #link: { readonly id: string; readonly code: string };
  /** The forms that were sent; the model counts them from 1. */
  readonly #forms: string[] = [];
  readonly #payments = new Map<number, string>();
  #senders = 0;

  constructor(history: History, link: { readonly id: string; readonly code: string }) {
    this.#history = history;
    this.#link = link;
  }

  /** A form that is new, or was sent before. */
  async askForPayment(actor: Actor): Promise<unknown> {
    const isAgain = this.#forms.length > 0 && actor.dice.isHit(0.3);
    if (!isAgain && this.#forms.length === ATTEMPTS_MAX) {
      return null;
    }
    const attempt = isAgain
      ? actor.dice.between(1, this.#forms.length)
      : this.#forms.push(hashOf(this.#history.newName()));
    const form = new URLSearchParams({ attempt: String(this.#forms[attempt - 1]) });
    return this.#history.operation(
      actor,
      { command: 'request payment', attempt },
      {
        row: operations.payByLink,
        sent: {
          params: { code: this.#link.code },
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: form.toString(),
        },
        payer: this.#nextSender(),
      },
      async ({ headers }) => {
        const { pathname } = new URL(String(headers.get('location')));
        const payment = await this.#find(pathname);
        this.#payments.set(attempt, payment.id);
        return { hash: hashOf(pathname), expiresAtMs: Date.parse(payment.expires_at) };
      },
    );
  }

  retrieve(actor: Actor, persistence?: typeof ALWAYS_ANSWERED) {
    return this.#history.operation(
      actor,
      { command: 'retrieve' },
      { row: operations.getPaymentLink, sent: { params: { id: this.#link.id } } },
      ({ json }) => ({ uses: json.uses, linkStatus: json.status }),
      persistence,
    );
  }

  openPage(actor: Actor) {
    return this.#history.operation(
      actor,
      { command: 'open page' },
      {
        row: operations.getLinkPage,
        sent: { params: { code: this.#link.code } },
        payer: this.#nextSender(),
      },
      () => ({}),
    );
  }

  async simulate(actor: Actor): Promise<unknown> {
    const attempt = this.#anyPaid(actor);
    const outcome = actor.dice.isHit(0.7) ? 'succeeded' : 'failed';
    return (
      attempt &&
      this.#history.operation(
        actor,
        { command: 'simulate', attempt: attempt.number, outcome },
        { row: operations.simulatePayment, sent: { params: attempt.params, body: { outcome } } },
        () => ({}),
      )
    );
  }

  async cancel(actor: Actor): Promise<unknown> {
    const attempt = this.#anyPaid(actor);
    return (
      attempt &&
      this.#history.operation(
        actor,
        { command: 'cancel', attempt: attempt.number },
        { row: operations.cancelPayment, sent: { params: attempt.params } },
        () => ({}),
      )
    );
  }

  disable(actor: Actor) {
    return this.#history.operation(
      actor,
      { command: 'disable' },
      { row: operations.disablePaymentLink, sent: { params: { id: this.#link.id } } },
      ({ json }) => ({ uses: json.uses, linkStatus: json.status }),
    );
  }

  moveClock(actor: Actor) {
    return this.#history.moveClock(actor, actor.dice.pick([1, 300, 905, 905]));
  }

  /** A payer's attempt whose payment is known. */
  #anyPaid({ dice }: Actor) {
    const known = [...this.#payments];
    if (known.length === 0) {
      return null;
    }
    const [number, id] = dice.pick(known as [[number, string]]);
    return { number, params: { id } };
  }

  #nextSender(): string {
    this.#senders += 1;
    return `127.0.0.${2 + (this.#senders % SENDERS)}`;
  }

  /** The payment of a page. */
  async #find(pathname: string) {
    const giveUpAtMs = Date.now() + LISTED_WITHIN_MS;
    while (Date.now() < giveUpAtMs) {
      const { json } = await this.#history.call(operations.listPayments, { query: { limit: '100' } });
      const found = json.data.find(({ checkout_url }) => new URL(String(checkout_url)).pathname === pathname);
      if (found !== undefined) {
        return found;
      }
      await sleep(LISTED_POLL_MS);
    }
    throw new Error(`the payment of ${pathname} is not listed (${this.#history.id})`);
  }
}

/** Outside the model: a link counts its payments, and only late money exceeds it (contract §7). */
async function inspectUses(history: History, id: string, maxUses: number): Promise<void> {
  const { inspection } = history;
  const { json: link } = await history.call(operations.getPaymentLink, { params: { id } });
  const { data } = (await history.call(operations.listPayments, { query: { limit: '100' } })).json;
  const paid = data.filter((it) => it.payment_link_id === id && it.status === 'succeeded');
  const inTime = paid.filter(({ late }) => !late).length;
  inspection.that(
    link.uses === paid.length,
    `a link counts ${link.uses} of ${paid.length} uses (${history.id})`,
  );
  inspection.that(inTime <= maxUses, `a link was used ${inTime} times of ${maxUses} (${history.id})`);
}
