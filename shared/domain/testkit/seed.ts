import type { PaymentId } from '../beginning.ts';
import { MINUTE_MS } from '../clock.ts';
import { lastOf } from '../event.ts';
import { derivedId, formatNumber } from '../id.ts';
import type { Job } from '../job.ts';
import type { Currency, Money } from '../money.ts';
import type { NextAction } from '../next-action.ts';
import { type Ask, askFor, begunAttempt, openedPayment } from '../open-payment.ts';
import { newPageSecret } from '../page-token.ts';
import { applyPaymentOutcome, cancelPayment, type Payment, paymentAsOf } from '../payment.ts';
import { createPaymentLink, disablePaymentLink, newLinkCode, type PaymentLink } from '../payment-link.ts';
import type { PaymentMethod } from '../payment-method.ts';
import { applyPayoutOutcome, isBack, type Payout } from '../payout.ts';
import {
  APPROVAL_AFTER_MS,
  applyRefundOutcome,
  cancelRefund,
  decideRefund,
  isDead,
  type Refund,
  type RefundStep,
  requestRefund,
  SEND_AFTER_MS,
  sendRefund,
} from '../refund.ts';
import { derivedBase62, derivedBytes, derivedCrockford } from '../secret.ts';
import {
  bangkokDay,
  compareStatement,
  type DayBalance,
  netOf,
  type Settlement,
  splitNet,
} from '../settlement.ts';
import { type Counted, scopeOf, type World } from '../world.ts';
import { SEED_SCRIPTS } from './seed-profiles.ts';
import type {
  LinkScript,
  PaymentScript,
  PaymentTurn,
  RefundScript,
  SeedProfile,
  SeedScript,
  SettlementScript,
  SinkScript,
} from './seed-script.ts';
import { createSink, formatSinkSecret, instructSink, newSinkToken, type Sink } from './sink.ts';

/** What a seed is made from: the same basis gives the same seed, down to ids and secrets. */
export interface SeedBasis {
  readonly profile: SeedProfile;
  /** On the merchant's clock. */
  readonly seededAtMs: number;
  readonly baseUrl: string;
  /** Random: what must not be guessed (pages, link codes, sinks) is derived from it. */
  readonly secret: string;
  /** How many numbers of each kind were given out before. */
  readonly countsBefore: World['counts'];
}

/** How a seed's sink is put among the others, in the slot that is free by then. */
export interface SeedSink {
  readonly name: string;
  readonly id: string;
  readonly create: (others: readonly Sink[]) => Sink;
}

/** Everything that a profile puts into a world. */
export interface Seed {
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly links: readonly PaymentLink[];
  readonly settlements: readonly Settlement[];
  readonly payouts: readonly Payout[];
  readonly sinks: readonly SeedSink[];
  /** What is unsettled, by the day. */
  readonly balances: readonly DayBalance[];
  /** What is still to happen to the payments and refunds. */
  readonly jobs: readonly Job[];
  /** Scenario → id, but for the sinks, which may find no free slot. */
  readonly ids: Readonly<Record<string, string>>;
  readonly summary: SeedSummary;
}

export interface SeedSummary {
  readonly fromMs: number;
  readonly toMs: number;
  /** Of the payments that succeeded, and of the refunds that did. */
  readonly grossMinor: number;
  readonly refundedMinor: number;
  readonly currency: Currency;
}

export interface SeedCounts {
  readonly payments: number;
  readonly refunds: number;
  readonly paymentLinks: number;
  readonly payouts: number;
  readonly settlements: number;
  readonly sinks: number;
}

export interface SeedReport {
  readonly actionId: string;
  readonly alreadySeeded: boolean;
  readonly profile: SeedProfile;
  readonly created: SeedCounts;
  readonly skipped: SeedCounts;
  readonly ids: Readonly<Record<string, string>>;
  readonly summary: SeedSummary;
}

/** How long a provider takes with a refund that was sent to it. */
const REFUND_TAKES_MS = 10 * MINUTE_MS;
const CANCELED_AFTER_MS = 2 * MINUTE_MS;
/** What the provider of a statement that does not match takes off: a hundredth. */
const FEE_DIVISOR = 100;

type Place = Pick<World, 'id' | 'epoch'>;

/** How many numbers of each kind a profile needs. */
export function numbersOf(profile: SeedProfile): World['counts'] {
  const { payments, refunds, links, settlements } = SEED_SCRIPTS[profile]();
  return {
    payment: payments.length,
    refund: refunds.length,
    paymentLink: links.length,
    payout: settlements.filter(({ payout }) => payout !== null).length,
    settlement: settlements.length,
  };
}

/** What the payer of an attempt is shown, by a provider that only plays. */
type NextActionOf = (ask: Ask) => NextAction;

/** Plays the script of a profile. */
export function playSeed(world: Place, basis: SeedBasis, nextActionOf: NextActionOf): Seed {
  return new Stage(world, basis, nextActionOf).play(SEED_SCRIPTS[basis.profile]());
}

/** Money that came or, below zero, went, at an instant. */
interface Entry {
  readonly atMs: number;
  readonly minor: number;
}

/** One seeding, as far as the play has come. */
class Stage {
  readonly #world: Place;
  readonly #basis: SeedBasis;
  readonly #nextActionOf: NextActionOf;
  readonly #payments = new Map<string, Payment>();
  readonly #ids: Record<string, string> = {};

  constructor(world: Place, basis: SeedBasis, nextActionOf: NextActionOf) {
    this.#world = world;
    this.#basis = basis;
    this.#nextActionOf = nextActionOf;
  }

  play(script: SeedScript): Seed {
    for (const [ordinal, payment] of inOrder(script.payments)) {
      this.#payments.set(payment.key, this.#name('payment', payment, this.#playPayment(payment, ordinal)));
    }
    const refunds = inOrder(script.refunds).map(([ordinal, refund]) =>
      this.#name('refund', refund, this.#playRefund(refund, ordinal)),
    );
    const links = inOrder(script.links).map(([ordinal, link]) =>
      this.#name('payment_link', link, this.#playLink(link, ordinal)),
    );
    const payments = [...this.#payments.values()];
    const entries = [...received(payments, 1), ...received(refunds, -1)];
    const settled = this.#playSettlements(script.settlements, entries);
    return {
      payments,
      refunds,
      links,
      ...settled,
      sinks: script.sinks.map((sink) => this.#sink(sink)),
      jobs: [...payments.flatMap(jobsOfPayment), ...refunds.flatMap(jobsOfRefund)],
      ids: this.#ids,
      summary: summaryOf(payments, refunds),
    };
  }

  #playPayment({ key, agoMs, order, turns }: PaymentScript, ordinal: number): Payment {
    const { profile, seededAtMs, baseUrl, secret } = this.#basis;
    const atMs = seededAtMs - agoMs;
    const ids = {
      // The record of the seeding stands for it.
      id: this.#id('pay', atMs, key) as PaymentId,
      pageSecret: newPageSecret((chars) => derivedBase62(secret, `page ${key}`, chars)),
    };
    const number = this.#number('payment', ordinal);
    const opening = { world: this.#world, number, baseUrl, nowMs: atMs, ids };
    const created = openedPayment(opening, { ...order, reference: `${profile}-${key}` }).after;
    const payment = order.method === undefined ? created : this.#begin(created, order.method, atMs);
    const after = turns.reduce((before, turn) => this.#takeTurn(before, turn, atMs + turn.afterMs), payment);
    return paymentAsOf(after, seededAtMs);
  }

  #takeTurn(before: Payment, { does }: PaymentTurn, atMs: number): Payment {
    switch (does) {
      case 'choose':
        return this.#begin(before, 'promptpay', atMs);
      case 'cancel':
        return cancelPayment(before, atMs).after;
      default:
        return lastOf(before, applyPaymentOutcome(before, does, atMs));
    }
  }

  #begin(payment: Payment, method: PaymentMethod, atMs: number): Payment {
    const ask = askFor(payment, method, atMs);
    return begunAttempt(payment, ask, this.#nextActionOf(ask), atMs).after;
  }

  /** A refund, and what it does to its payment: each of both is a write of the payment. */
  #playRefund(script: RefundScript, ordinal: number): Refund {
    const payment = this.#payments.get(script.payment);
    if (payment === undefined) {
      throw new Error('a refund is of a payment of its profile');
    }
    const atMs = this.#basis.seededAtMs - script.agoMs;
    const { amountMinor, reason, reasonCode } = script;
    const identity = { id: this.#id('ref', atMs, script.key), number: this.#number('refund', ordinal) };
    const order = {
      ...(amountMinor !== undefined && { amount: thb(amountMinor) }),
      reason,
      reason_code: reasonCode,
    };
    const requested = requestRefund(identity, payment, order, atMs).after;
    const refund = lastOf(requested, refundSteps(requested, script.reaches));
    this.#payments.set(script.payment, countRefund(payment, refund));
    return refund;
  }

  #playLink(script: LinkScript, ordinal: number): PaymentLink {
    const { seededAtMs, baseUrl, secret } = this.#basis;
    const { key, agoMs, expiresAfterMs, disabledAfterMs, isExhausted = false } = script;
    const atMs = seededAtMs - agoMs;
    const code = newLinkCode((chars) => derivedCrockford(secret, `link ${key}`, chars));
    const identity = {
      id: this.#id('lnk', atMs, key),
      number: this.#number('paymentLink', ordinal),
      code,
      url: `${baseUrl}/l/${code}`,
    };
    const order = {
      ...script.order,
      ...(expiresAfterMs !== undefined && { expires_at: new Date(atMs + expiresAfterMs).toISOString() }),
    };
    const created = createPaymentLink(identity, order, atMs).after;
    const used = isExhausted ? useUp(created) : created;
    return disabledAfterMs === undefined
      ? used
      : lastOf(used, disablePaymentLink(used, atMs + disabledAfterMs));
  }

  /** Statement after statement: what matches is paid out, and what does not, or comes back, goes on into the next one. */
  #playSettlements(scripts: readonly SettlementScript[], entries: readonly Entry[]) {
    const settlements: Settlement[] = [];
    const payouts: Payout[] = [];
    let unsettled = entries;
    for (const [ordinal, script] of inOrder(scripts)) {
      const atMs = this.#basis.seededAtMs - script.agoMs;
      const net = netOf(balancesOf(unsettled.filter((entry) => entry.atMs <= atMs)));
      const settlement = this.#settlement(script, ordinal, splitNet(net).takenMinor);
      settlements.push(this.#name('settlement', script, settlement));
      if (settlement.status === 'matched') {
        const payout = this.#playPayout(script, settlement, payouts.length + 1);
        payouts.push(payout);
        const back = isBack(payout) ? [{ atMs: payout.updatedAtMs, minor: payout.amount.minor }] : [];
        unsettled = [...unsettled.filter((entry) => entry.atMs > atMs), ...back];
      }
    }
    return { settlements, payouts, balances: balancesOf(unsettled) };
  }

  #settlement({ key, agoMs, payout }: SettlementScript, ordinal: number, net: number): Settlement {
    const { profile, seededAtMs } = this.#basis;
    const atMs = seededAtMs - agoMs;
    const stated = payout === null ? net - Math.ceil(net / FEE_DIVISOR) : undefined;
    const status = compareStatement(net, stated);
    if (status !== (payout === null ? 'mismatched' : 'matched')) {
      throw new Error('a statement comes out as its script says');
    }
    return {
      id: this.#id('stl', atMs, key),
      number: this.#number('settlement', ordinal),
      version: 1,
      // A name that no request can use: a day that was settled by hand must not stand in the way, nor be stood in it.
      provider: `sim_provider/${profile}`,
      valueDate: bangkokDay(atMs),
      status,
      expected: thb(net),
      stated: stated === undefined ? null : thb(stated),
      payoutId: payout === null ? null : this.#id('pot', atMs, payout.key),
      actionId: this.#id('act', atMs, key),
      providerEventId: this.#id('pev', atMs, key),
      createdAtMs: atMs,
      updatedAtMs: atMs,
    };
  }

  #playPayout({ payout }: SettlementScript, settlement: Settlement, ordinal: number): Payout {
    const { id: settlementId, provider, expected: amount, createdAtMs } = settlement;
    const pending: Payout = {
      id: String(settlement.payoutId),
      number: this.#number('payout', ordinal),
      version: 1,
      settlementId,
      provider,
      status: 'pending',
      amount,
      returnReason: null,
      createdAtMs,
      updatedAtMs: createdAtMs,
    };
    this.#ids[`payout.${payout?.key}`] = pending.id;
    return (payout?.turns ?? []).reduce(
      (before, { does, afterMs }) => applyPayoutOutcome(before, does, undefined, createdAtMs + afterMs).after,
      pending,
    );
  }

  #sink({ key, name, instruction }: SinkScript): SeedSink {
    const { seededAtMs, secret } = this.#basis;
    const identity = {
      id: this.#id('snk', seededAtMs, key),
      token: newSinkToken((chars) => derivedBase62(secret, `sink ${key}`, chars)),
      secret: formatSinkSecret(derivedBytes(secret, `signing ${key}`)),
    };
    const create = (others: readonly Sink[]) => {
      const created = createSink(others, name, seededAtMs, identity);
      return instruction === null ? created : instructSink(created, instruction, seededAtMs);
    };
    return { name: `sink.${key}`, id: identity.id, create };
  }

  #id(prefix: Parameters<typeof derivedId>[0], atMs: number, key: string): string {
    return derivedId(prefix, atMs, `${scopeOf(this.#world)}/${this.#basis.profile}/${key}`);
  }

  #number(kind: Counted, ordinal: number): string {
    return formatNumber(LETTERS[kind], this.#basis.countsBefore[kind] + ordinal);
  }

  #name<Entity extends { readonly id: string }>(
    kind: string,
    { key, isNamed }: { readonly key: string; readonly isNamed: boolean },
    entity: Entity,
  ): Entity {
    if (isNamed) {
      this.#ids[`${kind}.${key}`] = entity.id;
    }
    return entity;
  }
}

const LETTERS = { payment: 'P', refund: 'R', paymentLink: 'L', payout: 'O', settlement: 'S' } as const;

/** Oldest first, with ordinals from 1. */
function inOrder<S extends { readonly agoMs: number }>(
  scripts: readonly S[],
): [ordinal: number, script: S][] {
  return scripts.toSorted((a, b) => b.agoMs - a.agoMs).map((script, place) => [place + 1, script]);
}

/** The steps of a refund at the times at which the jobs of the world take them. */
function refundSteps(requested: Refund, reaches: Refund['status']): RefundStep[] {
  const decidedAtMs = requested.createdAtMs + APPROVAL_AFTER_MS;
  const sentAtMs = decidedAtMs + SEND_AFTER_MS;
  switch (reaches) {
    case 'requested':
      return [];
    case 'canceled':
      return [cancelRefund(requested, requested.createdAtMs + CANCELED_AFTER_MS)];
    case 'approved':
    case 'rejected':
      return [decideRefund(requested, decidedAtMs)];
    default: {
      const approved = decideRefund(requested, decidedAtMs);
      const sent = sendRefund(approved.after, sentAtMs);
      const ended =
        reaches === 'processing' ? [] : applyRefundOutcome(sent.after, reaches, sentAtMs + REFUND_TAKES_MS);
      return [approved, sent, ...ended];
    }
  }
}

/** The payment after what a refund of it has come to: one write held the amount back, another one ended that. */
function countRefund(payment: Payment, refund: Refund): Payment {
  const { minor } = refund.amount;
  const held = {
    ...payment,
    version: payment.version + 1,
    refundableMinor: payment.refundableMinor - minor,
  };
  if (isDead(refund)) {
    return { ...held, version: held.version + 1, refundableMinor: payment.refundableMinor };
  }
  return refund.status === 'succeeded'
    ? { ...held, version: held.version + 1, refundedMinor: payment.refundedMinor + minor }
    : held;
}

/** Each use is a write of the link. */
function useUp(link: PaymentLink): PaymentLink {
  const uses = link.maxUses ?? 0;
  return { ...link, uses, takenUses: uses, version: link.version + uses };
}

/** What payments have brought, or refunds have taken. */
function received(things: readonly (Payment | Refund)[], sign: 1 | -1): Entry[] {
  return things.flatMap(({ succeededAtMs, amount }) =>
    succeededAtMs === null ? [] : [{ atMs: succeededAtMs, minor: sign * amount.minor }],
  );
}

function balancesOf(entries: readonly Entry[]): DayBalance[] {
  const byDay = Map.groupBy(entries, ({ atMs }) => bangkokDay(atMs));
  return [...byDay].map(([day, ofDay]) => ({
    day,
    paidMinor: BigInt(sumOf(ofDay.filter(({ minor }) => minor > 0))),
    refundedMinor: BigInt(-sumOf(ofDay.filter(({ minor }) => minor < 0))),
  }));
}

function jobsOfPayment({ id: paymentId, status, expiresAtMs }: Payment): Job[] {
  const isOpen = status === 'created' || status === 'requires_action';
  return isOpen ? [{ kind: 'expire-payment', dueAtMs: expiresAtMs, paymentId }] : [];
}

function jobsOfRefund({ id: refundId, status, createdAtMs }: Refund): Job[] {
  const decidedAtMs = createdAtMs + APPROVAL_AFTER_MS;
  switch (status) {
    case 'requested':
      return [{ kind: 'approve-refund', dueAtMs: decidedAtMs, refundId }];
    case 'approved':
      return [{ kind: 'send-refund', dueAtMs: decidedAtMs + SEND_AFTER_MS, refundId }];
    default:
      return [];
  }
}

function summaryOf(payments: readonly Payment[], refunds: readonly Refund[]): SeedSummary {
  const times = payments.map(({ createdAtMs }) => createdAtMs);
  return {
    fromMs: Math.min(...times),
    toMs: Math.max(...times),
    grossMinor: sumOf(received(payments, 1)),
    refundedMinor: sumOf(received(refunds, 1)),
    currency: 'THB',
  };
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { minor }) => sum + minor, 0);
}

function thb(minor: number): Money {
  return { currency: 'THB', minor };
}
