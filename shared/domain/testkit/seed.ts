import { type AttemptRequest, attemptRequestOf, startAttempt } from '../attempt-request.ts';
import { type BalanceShard, bangkokDay, isSettled, netOf } from '../balance.ts';
import { MINUTE_MS } from '../clock.ts';
import type { Endpoint } from '../endpoint.ts';
import { derivedId } from '../id.ts';
import type { Currency } from '../money.ts';
import { newPayment } from '../new-payment.ts';
import type { NextAction } from '../next-action.ts';
import { derivedPageSecret } from '../page-token.ts';
import {
  applyPaymentOutcome,
  cancelPayment,
  joinPaymentChanges,
  type Payment,
  type PaymentChange,
} from '../payment.ts';
import { createPaymentLink, disablePaymentLink, newLinkCode, paymentInputFromLink } from '../payment-link.ts';
import { applyPayoutOutcome, createPayout } from '../payout.ts';
import {
  APPROVAL_AFTER_MS,
  applyRefundOutcome,
  cancelRefund,
  type Refund,
  requestRefund,
  SEND_AFTER_MS,
} from '../refund.ts';
import type { PaymentId } from '../request-start.ts';
import { type PerResource, perResource, type ResourceName } from '../resource.ts';
import { afterOf, type ResourceJob } from '../resource-change.ts';
import { formatNumber } from '../resource-number.ts';
import { derivedBase62, derivedBytes, derivedCrockford, newSigningSecret } from '../secret.ts';
import { compareStatement, createSettlement, splitNet } from '../settlement.ts';
import type { World } from '../world.ts';
import { SEED_SCRIPTS } from './seed-profiles.ts';
import {
  type LinkScript,
  type PaymentScript,
  type PaymentTurn,
  type PayoutScript,
  type RefundScript,
  type SeedProfile,
  type SeedScript,
  type SettlementScript,
  type SinkScript,
  thb,
} from './seed-script.ts';
import { type Made, SimulatedHistory } from './simulated-history.ts';
import { type CreatedSink, createSink, instructSink, newSinkToken } from './sink.ts';

/** The input of a seed: the same basis gives the same seed, down to ids and secrets. */
export interface SeedBasis {
  readonly profile: SeedProfile;
  /** On the merchant's clock. */
  readonly seededAtMs: number;
  readonly baseUrl: string;
  /** Random: unguessable tokens (pages, link codes, sinks) are derived from it. */
  readonly secret: string;
  /** How many numbers of each kind were assigned before the seeding. */
  readonly countsBefore: PerResource<number>;
}

/** A sink of a seed: `create` puts it into the slot that is free when it is written. */
interface SeedSink {
  readonly name: string;
  readonly id: string;
  readonly create: (others: readonly Endpoint[]) => CreatedSink;
}

/** Everything that a profile puts into a world. */
export interface Seed {
  readonly made: Made;
  readonly sinks: readonly SeedSink[];
  /** The balances and statistics, one for each day. */
  readonly balances: readonly BalanceShard[];
  /** The jobs that payments and refunds still wait for. */
  readonly jobs: readonly ResourceJob[];
  /** Scenario → id, without the sinks, which may find no free slot. */
  readonly ids: Readonly<Record<string, string>>;
  readonly summary: SeedSummary;
}

interface SeedSummary {
  readonly fromMs: number;
  readonly toMs: number;
  /** Sums of the succeeded payments and of the succeeded refunds. */
  readonly grossMinor: number;
  readonly refundedMinor: number;
  readonly currency: Currency;
}

export interface SeedCounts {
  readonly made: PerResource<number>;
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

/** One seeding of a profile. Each profile is seeded once, until a purge. */
export interface SeedRecord extends SeedBasis {
  readonly actionId: string;
  /** Hash of the Idempotency-Key of the request that holds the lease. */
  readonly owner: string;
  /** Real time until which requests with other keys are refused. */
  readonly leaseEndsAtMs: number;
  /** Set when the seeding is done. */
  readonly report: SeedReport | null;
}

/** How long the provider takes for a refund. */
const REFUND_TAKES_MS = 10 * MINUTE_MS;
const CANCELED_AFTER_MS = 2 * MINUTE_MS;
/** A statement that does not match is lower by the provider's fee, one hundredth. */
const FEE_DIVISOR = 100;

type SeededWorld = Pick<World, 'id' | 'epoch'>;

/** How many numbers of each kind a profile needs. */
export function numbersOf(profile: SeedProfile): PerResource<number> {
  const { payments, refunds, links, settlements } = SEED_SCRIPTS[profile]();
  return {
    ...perResource(() => 0),
    payment: payments.length,
    refund: refunds.length,
    paymentLink: links.length,
    payout: settlements.filter(({ payout }) => isOwnPayout(payout)).length,
    settlement: settlements.length,
  };
}

/** The next action of an attempt at the simulated provider. */
type NextActionOf = (ask: AttemptRequest) => NextAction;

/** Runs the script of a profile. */
export function runSeedScript(world: SeededWorld, basis: SeedBasis, nextActionOf: NextActionOf): Seed {
  return new SeedScriptRunner(world, basis, nextActionOf).run(SEED_SCRIPTS[basis.profile]());
}

/** What a merchant, payer or provider does at an instant. */
interface Act {
  readonly atMs: number;
  readonly apply: (atMs: number) => Parameters<SimulatedHistory['fold']>[0];
}

/** Runs one script: all acts in the order of time, and the jobs that become due between them. */
class SeedScriptRunner {
  readonly #world: SeededWorld;
  readonly #basis: SeedBasis;
  readonly #nextActionOf: NextActionOf;
  readonly #history = new SimulatedHistory();
  readonly #paymentIds = new Map<string, string>();
  readonly #linkIds = new Map<string, string>();
  readonly #ids: Record<string, string> = {};
  /** What matched statements have taken since the last payout. */
  #awaitedMinor = 0n;

  constructor(world: SeededWorld, basis: SeedBasis, nextActionOf: NextActionOf) {
    this.#world = world;
    this.#basis = basis;
    this.#nextActionOf = nextActionOf;
  }

  run(script: SeedScript): Seed {
    const acts = [
      ...inOrder(script.payments).flatMap(([ordinal, payment]) => this.#actsOfPayment(payment, ordinal)),
      ...inOrder(script.refunds).flatMap(([ordinal, refund]) => this.#actsOfRefund(refund, ordinal)),
      ...inOrder(script.links).flatMap(([ordinal, link]) => this.#actsOfLink(link, ordinal)),
      ...inOrder(script.settlements).flatMap(([ordinal, one], index, all) =>
        this.#actsOfSettlement(one, ordinal, this.#payoutId(all.slice(index).map(([, each]) => each))),
      ),
    ];
    for (const { atMs, apply } of acts.toSorted((a, b) => a.atMs - b.atMs)) {
      this.#history.runUntil(atMs);
      this.#history.fold(apply(atMs));
    }
    this.#history.runUntil(this.#basis.seededAtMs);
    const { made, balances, jobs } = this.#history;
    const sinks = script.sinks.map((sink) => this.#sink(sink));
    return { made, balances, jobs, sinks, ids: this.#ids, summary: summaryOf(made.payment, made.refund) };
  }

  #actsOfPayment(script: PaymentScript, ordinal: number): Act[] {
    const { profile, baseUrl, secret } = this.#basis;
    const { key, input, turns } = script;
    const atMs = this.#timeOf(script);
    const ids = {
      // Cast: here the stored record of the seeding stands in for a claim.
      id: this.#named('payment', script, this.#id('pay', atMs, key)) as PaymentId,
      pageSecret: derivedPageSecret(secret, `page ${key}`),
    };
    this.#paymentIds.set(key, ids.id);
    const number = this.#number('payment', ordinal);
    const opening = { world: this.#world, number, baseUrl, nowMs: atMs, ids };
    const open = () => {
      const link = script.link && this.#history.entity('paymentLink', String(this.#linkIds.get(script.link)));
      const created = link
        ? newPayment(
            { ...opening, link },
            paymentInputFromLink(link, { ...input, customer: input.customer ?? {} }),
          )
        : newPayment(opening, { ...input, reference: `${profile}-${key}` });
      return input.method === undefined
        ? created
        : joinPaymentChanges(created, this.#begin(afterOf(created), input.method, atMs));
    };
    return [
      { atMs, apply: () => [open()] },
      ...turns.map((turn) => ({
        atMs: atMs + turn.afterMs,
        apply: (turnAtMs: number) => [
          this.#takeTurn(this.#history.entity('payment', ids.id), turn, turnAtMs),
        ],
      })),
    ];
  }

  #takeTurn(before: Payment, { does }: PaymentTurn, atMs: number): PaymentChange {
    switch (does) {
      case 'choose':
        return this.#begin(before, 'promptpay', atMs);
      case 'cancel':
        return cancelPayment(before, atMs);
      default:
        return applyPaymentOutcome(before, does, atMs);
    }
  }

  #begin(payment: Payment, method: AttemptRequest['method'], atMs: number): PaymentChange {
    const ask = attemptRequestOf(payment, method, atMs);
    return startAttempt(payment, ask, { nextAction: this.#nextActionOf(ask) }, atMs);
  }

  #actsOfRefund(script: RefundScript, ordinal: number): Act[] {
    const { key, amountMinor, reason, reasonCode, reaches } = script;
    const atMs = this.#timeOf(script);
    const id = this.#named('refund', script, this.#id('ref', atMs, key));
    const identity = { id, number: this.#number('refund', ordinal) };
    const amount = amountMinor === undefined ? undefined : thb(amountMinor);
    const input = { amount, reason, reasonCode };
    const payment = () => this.#history.entity('payment', String(this.#paymentIds.get(script.payment)));
    const refund = () => this.#history.entity('refund', id);
    const cancel = (nowMs: number) => [cancelRefund(refund(), nowMs)];
    const endedAtMs = atMs + APPROVAL_AFTER_MS + SEND_AFTER_MS + REFUND_TAKES_MS;
    return [
      { atMs, apply: () => [requestRefund(identity, payment(), input, atMs)] },
      ...(reaches === 'canceled' ? [{ atMs: atMs + CANCELED_AFTER_MS, apply: cancel }] : []),
      ...(reaches === 'succeeded' || reaches === 'failed'
        ? [{ atMs: endedAtMs, apply: () => [applyRefundOutcome(refund(), reaches, endedAtMs)] }]
        : []),
    ];
  }

  #actsOfLink(script: LinkScript, ordinal: number): Act[] {
    const { baseUrl, secret } = this.#basis;
    const { key, expiresAfterMs, disabledAfterMs } = script;
    const atMs = this.#timeOf(script);
    const code = newLinkCode((chars) => derivedCrockford(secret, `link ${key}`, chars));
    const id = this.#named('payment_link', script, this.#id('lnk', atMs, key));
    this.#linkIds.set(key, id);
    const number = this.#number('paymentLink', ordinal);
    const input = {
      ...script.input,
      ...(expiresAfterMs !== undefined && { expiresAt: new Date(atMs + expiresAfterMs).toISOString() }),
    };
    const created = () => createPaymentLink({ id, number, code, url: `${baseUrl}/l/${code}` }, input, atMs);
    const disable = (nowMs: number) =>
      [disablePaymentLink(this.#history.entity('paymentLink', id), nowMs)].filter(
        (change) => change !== null,
      );
    return [
      { atMs, apply: () => [created()] },
      ...(disabledAfterMs === undefined ? [] : [{ atMs: atMs + disabledAfterMs, apply: disable }]),
    ];
  }

  /** A statement. If it matches, its money is paid out; else, or if the payout fails, it is in the next statement. */
  #actsOfSettlement(script: SettlementScript, ordinal: number, payoutId: string | null): Act[] {
    const { key } = script;
    const payout = isOwnPayout(script.payout) ? script.payout : null;
    const { profile } = this.#basis;
    const atMs = this.#timeOf(script);
    const identity = {
      id: this.#named('settlement', script, this.#id('stl', atMs, key)),
      number: this.#number('settlement', ordinal),
      // A name that no request can use, so that seeded days and days that a request settles cannot collide.
      provider: `sim_provider/${profile}`,
      valueDate: bangkokDay(atMs),
      payoutId,
      actionId: this.#id('act', atMs, key),
      providerEventId: this.#id('pev', atMs, key),
    };
    if (payout !== null) {
      this.#ids[`payout.${payout.key}`] = String(payoutId);
    }
    const settle = () => {
      const days = this.#history.balances.filter((balance) => !isSettled(balance));
      const { takenMinor, restMinor } = splitNet(netOf(days) - this.#awaitedMinor);
      const stated = payoutId === null ? thb(takenMinor - Math.ceil(takenMinor / FEE_DIVISOR)) : null;
      const status = compareStatement(takenMinor, stated ?? undefined);
      if (status !== (payoutId === null ? 'mismatched' : 'matched')) {
        throw new Error('a statement does not end as its script says');
      }
      const settled = { ...identity, status, expected: thb(takenMinor), stated };
      this.#awaitedMinor += status === 'matched' ? BigInt(takenMinor) : 0n;
      return [
        createSettlement(settled, atMs),
        ...(payout === null ? [] : [this.#payOut({ ...settled, createdAtMs: atMs }, days, restMinor)]),
      ];
    };
    const paid = () => this.#history.entity('payout', String(payoutId));
    const turns = (payout?.turns ?? []).map(({ does, afterMs }) => ({
      atMs: atMs + afterMs,
      apply: (nowMs: number) => [applyPayoutOutcome(paid(), does, undefined, nowMs)],
    }));
    return [{ atMs, apply: settle }, ...turns];
  }

  /** The payout of the first of these statements: its own, or that of the next one that has one. */
  #payoutId([script, ...later]: readonly SettlementScript[]): string | null {
    if (script === undefined || script.payout === null) {
      return null;
    }
    const { payout } = script;
    return isOwnPayout(payout)
      ? this.#id('pot', this.#timeOf(script), payout.key)
      : this.#payoutId(later.filter((each) => isOwnPayout(each.payout)));
  }

  /** Pays out what all matched statements since the last payout have taken. */
  #payOut(
    settled: Parameters<typeof createPayout>[0] & { readonly payoutId: string | null },
    days: readonly BalanceShard[],
    restMinor: bigint,
  ) {
    const expected = thb(Number(this.#awaitedMinor));
    this.#awaitedMinor = 0n;
    const number = this.#number('payout', this.#history.made.payout.length + 1);
    return createPayout({ ...settled, expected }, { id: String(settled.payoutId), number }, days, restMinor);
  }

  #sink({ key, name, instruction }: SinkScript): SeedSink {
    const { seededAtMs, secret } = this.#basis;
    const identity = {
      id: this.#id('snk', seededAtMs, key),
      token: newSinkToken((chars) => derivedBase62(secret, `sink ${key}`, chars)),
      secret: newSigningSecret(derivedBytes(secret, `signing ${key}`)),
    };
    const create = (others: readonly Endpoint[]): CreatedSink => {
      const created = createSink(others, name, seededAtMs, identity);
      return instruction === null
        ? created
        : { ...created, sink: instructSink(created.sink, instruction, seededAtMs).after };
    };
    return { name: `sink.${key}`, id: identity.id, create };
  }

  #timeOf({ agoMs }: { readonly agoMs: number }): number {
    return this.#basis.seededAtMs - agoMs;
  }

  #id(prefix: Parameters<typeof derivedId>[0], atMs: number, key: string): string {
    const { id, epoch } = this.#world;
    return derivedId(prefix, atMs, `${id}.${epoch}/${this.#basis.profile}/${key}`);
  }

  #number(name: ResourceName, ordinal: number): string {
    return formatNumber(name, this.#basis.countsBefore[name] + ordinal);
  }

  #named(
    kind: string,
    { key, isNamed }: { readonly key: string; readonly isNamed: boolean },
    id: string,
  ): string {
    if (isNamed) {
      this.#ids[`${kind}.${key}`] = id;
    }
    return id;
  }
}

function isOwnPayout(payout: SettlementScript['payout']): payout is PayoutScript {
  return payout !== null && payout !== 'next';
}

/** Oldest first, with ordinals from 1. */
function inOrder<S extends { readonly agoMs: number }>(
  scripts: readonly S[],
): [ordinal: number, script: S][] {
  return scripts.toSorted((a, b) => b.agoMs - a.agoMs).map((script, index) => [index + 1, script]);
}

function summaryOf(payments: readonly Payment[], refunds: readonly Refund[]): SeedSummary {
  const times = payments.map(({ createdAtMs }) => createdAtMs);
  return {
    fromMs: Math.min(...times),
    toMs: Math.max(...times),
    grossMinor: succeededSum(payments),
    refundedMinor: succeededSum(refunds),
    currency: 'THB',
  };
}

function succeededSum(things: readonly (Payment | Refund)[]): number {
  return things.reduce((sum, { status, amount }) => sum + (status === 'succeeded' ? amount.minor : 0), 0);
}
