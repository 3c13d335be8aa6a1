import assert from 'node:assert/strict';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import type { PaymentOutcome, PaymentStatus } from '../../../shared/domain/payment.ts';
import type { PayoutOutcome, PayoutStatus } from '../../../shared/domain/payout.ts';
import type { RefundOutcome, RefundStatus } from '../../../shared/domain/refund.ts';
import type { Client } from '../../support/world/api.ts';
import {
  type Answer,
  type ArgsOf,
  type Command,
  type Kind,
  type Known,
  LINK_MINOR,
  pick,
} from './commands.ts';

/* What a merchant should receive and see, written again and shortly: nothing here is taken from the service. */

interface Payment {
  id: string;
  status: PaymentStatus;
  late: boolean;
  readonly minor: number;
  readonly method: string | undefined;
  readonly link: Link | null;
}

interface Refund {
  readonly id: string;
  status: RefundStatus;
  readonly payment: Payment;
  readonly minor: number;
  readonly isRejected: boolean;
}

interface Link {
  readonly id: string;
  readonly url: string;
  readonly maxUses: number;
  status: 'active' | 'disabled';
}

interface Job {
  readonly atMs: number;
  readonly counts: 'payments_expired' | 'refunds_approved' | 'simulations_applied' | 'nothing';
  /** Runs it, and returns whether there was something to do. */
  run(): boolean;
}

const MINUTE_MS = 60_000;
const MINUTES_TO_PAY: Readonly<Record<string, number>> = { promptpay: 15, truemoney: 20 };
const MINUTES_WITHOUT_METHOD = 1_440;
const MINUTES_FROM_LINK = 15;
const BANGKOK_AHEAD_MS = 7 * 60 * MINUTE_MS;
const DAY_MS = 1_440 * MINUTE_MS;

const OPEN: readonly string[] = ['created', 'requires_action', 'processing'];
const AFTER_WORD: Readonly<Record<PaymentOutcome, { from: readonly string[]; to: PaymentStatus }>> = {
  succeeded: { from: [...OPEN, 'expired', 'canceled'], to: 'succeeded' },
  failed: { from: OPEN, to: 'failed' },
  pending: { from: ['created', 'requires_action'], to: 'processing' },
  mismatch: { from: OPEN, to: 'processing' },
};
const PAYOUT_FROM: Readonly<Record<PayoutOutcome, readonly string[]>> = {
  paid: ['pending'],
  failed: ['pending'],
  returned: ['pending', 'paid'],
};

/** A small model of one merchant: payments, refunds, links, payouts and the clock. */
export class Model implements Known {
  readonly payments: Payment[] = [];
  readonly refunds: Refund[] = [];
  readonly links: Link[] = [];
  readonly payouts: { readonly id: string; status: PayoutStatus; readonly minor: number }[] = [];
  readonly sinks: { readonly id: string }[];
  readonly said = new Map<string, string>();
  readonly settled = new Map<string, { readonly stated: number; readonly expected: number }>();
  #jobs: Job[] = [];
  #aheadMs = 0;

  constructor(sinkId: string) {
    this.sinks = [{ id: sinkId }];
  }

  get nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Reads the merchant's clock from a response. */
  noteClock({ headers }: Pick<Answer, 'headers'>): void {
    const clock = headers.get('pg-clock');
    this.#aheadMs = clock === null ? this.#aheadMs : Date.parse(clock) - Date.now();
  }

  get nextJobAtMs(): number {
    return Math.min(...this.#jobs.map(({ atMs }) => atMs));
  }

  later(atMs: number, counts: Job['counts'], run: () => boolean): void {
    this.#jobs.push({ atMs, counts, run });
  }

  /** Runs what is due by an instant, in order, and counts it as the move of a clock does. */
  passTo(atMs: number) {
    const counted = { payments_expired: 0, refunds_approved: 0, simulations_applied: 0, nothing: 0 };
    while (this.nextJobAtMs <= atMs) {
      const [next] = this.#jobs.toSorted((a, b) => a.atMs - b.atMs);
      this.#jobs = this.#jobs.filter((job) => job !== next);
      if (next?.run()) {
        counted[next.counts] += 1;
      }
    }
    const { nothing: _, ...shifted } = counted;
    return shifted;
  }

  /** The amount that refunds may still request. */
  leftOf(payment: Payment): number {
    const isAlive = ({ status }: Refund) => !['rejected', 'canceled', 'failed'].includes(status);
    return (
      payment.minor - sumOf(this.refunds.filter((refund) => refund.payment === payment && isAlive(refund)))
    );
  }

  refundedOf(payment: Payment): number {
    return sumOf(this.refunds.filter((it) => it.payment === payment && it.status === 'succeeded'));
  }

  usesOf(link: Link): number {
    return this.payments.filter((it) => it.link === link && it.status === 'succeeded').length;
  }

  /** Whether a payer gets a payment from a link: one that is open or paid holds a use. */
  takes(link: Link): boolean {
    const open = this.payments.filter((it) => it.link === link && OPEN.includes(it.status)).length;
    return link.status === 'active' && open + this.usesOf(link) < link.maxUses;
  }

  get unsettledMinor(): number {
    const isDone = ({ status }: { readonly status: string }) => status === 'succeeded';
    const isKept = ({ status }: { readonly status: string }) => status === 'pending' || status === 'paid';
    return (
      sumOf(this.payments.filter(isDone)) -
      sumOf(this.refunds.filter(isDone)) -
      sumOf(this.payouts.filter(isKept))
    );
  }
}

type Predictions = {
  readonly [K in Kind]: (model: Model, args: ArgsOf<K>, answer: Answer) => string;
};

/** The expected response of each command, and its change: `ok`, `repeated`, or a refusal with its content. */
const PREDICTIONS: Predictions = {
  createPayment(model, { minor, method }) {
    const status = method === undefined ? 'created' : 'requires_action';
    model.payments.push({ id: '', status, late: false, minor, method, link: null });
    return 'ok';
  },
  cancelPayment(model, args) {
    const payment = one(model.payments, args);
    const { status } = payment;
    if (status !== 'created' && status !== 'requires_action') {
      return `invalid_state ${status}`;
    }
    payment.status = 'canceled';
    return 'ok';
  },
  simulatePayment(model, args, answer) {
    const payment = one(model.payments, args);
    return say(model, payment, args, answer, () => applyPaymentWord(payment, args.outcome));
  },
  requestRefund(model, args, { json }) {
    const payment = one(model.payments, args);
    const left = model.leftOf(payment);
    const minor = args.minor ?? left;
    if (payment.status !== 'succeeded') {
      return `invalid_state ${payment.status}`;
    }
    if (left === 0 || minor > left) {
      return `refund_amount_exceeded ${left}`;
    }
    const isRejected = args.reason_code === 9999;
    const refund: Refund = { id: String(json.id), status: 'requested', payment, minor, isRejected };
    const approvedAtMs = Date.parse(String(json.created_at)) + 15 * MINUTE_MS;
    model.refunds.push(refund);
    model.later(approvedAtMs, 'refunds_approved', () => {
      const isApproved = refund.status === 'requested' && !isRejected;
      if (refund.status === 'requested') {
        refund.status = isRejected ? 'rejected' : 'approved';
      }
      return isApproved;
    });
    model.later(approvedAtMs + MINUTE_MS, 'nothing', () => {
      refund.status = refund.status === 'approved' ? 'processing' : refund.status;
      return true;
    });
    return 'ok';
  },
  cancelRefund(model, args) {
    const refund = one(model.refunds, args);
    if (refund.status !== 'requested') {
      return `invalid_state ${refund.status}`;
    }
    refund.status = 'canceled';
    return 'ok';
  },
  simulateRefund(model, args, answer) {
    const refund = one(model.refunds, args);
    return say(model, refund, args, answer, () => applyRefundWord(refund, args.outcome));
  },
  createLink(model, { max_uses }, { json }) {
    model.links.push({ id: String(json.id), url: String(json.url), maxUses: max_uses, status: 'active' });
    return 'ok';
  },
  openLink(model, args) {
    const link = one(model.links, args);
    if (!model.takes(link)) {
      return 'link_unavailable';
    }
    model.payments.push({
      id: '',
      status: 'created',
      late: false,
      minor: LINK_MINOR,
      method: undefined,
      link,
    });
    return 'ok';
  },
  disableLink(model, args) {
    one(model.links, args).status = 'disabled';
    return 'ok';
  },
  scriptSink: (_, { fail_count, respond_status }, { json }) => {
    assert.partialDeepStrictEqual(json, { fail_count, respond_status });
    return 'ok';
  },
  settle(model, { stated, provider }, { json }) {
    const day = `${provider} ${Math.floor((model.nowMs + BANGKOK_AHEAD_MS) / DAY_MS)}`;
    const before = model.settled.get(day);
    if (before !== undefined) {
      return before.stated === (stated ?? before.expected) ? 'repeated' : 'settlement_exists';
    }
    const expected = model.unsettledMinor;
    const isMatched = stated === undefined || stated === expected;
    assert.equal(json.outcome, expected <= 0 ? 'empty' : isMatched ? 'matched' : 'mismatched');
    if (expected > 0) {
      model.settled.set(day, { stated: stated ?? expected, expected });
    }
    if (expected > 0 && isMatched) {
      model.payouts.push({ id: String(json.payout_id), status: 'pending', minor: expected });
    }
    return 'ok';
  },
  simulatePayout(model, args) {
    const payout = one(model.payouts, args);
    if (!PAYOUT_FROM[args.outcome].includes(payout.status)) {
      return `invalid_state ${payout.status}`;
    }
    payout.status = args.outcome;
    return 'ok';
  },
  advance(model, _, { json }) {
    const { to, jobs_remaining, ...shifted } = json.shifted as Readonly<Record<string, unknown>>;
    const counted = model.passTo(Date.parse(String(to)));
    // A slow machine may leave some to the background, which does not count them here.
    assert.partialDeepStrictEqual(shifted, jobs_remaining === 0 ? counted : {});
    return 'ok';
  },
};

/** Applies a command to the model, and returns the expected response. */
export function predict(model: Model, { kind, args }: Command, answer: Answer): string {
  const prediction = PREDICTIONS[kind] as (model: Model, args: Command['args'], answer: Answer) => string;
  return prediction(model, args, answer);
}

/** A response in the words of a prediction. */
export function verdictOf({ status, json }: Answer): string {
  if (status < 400) {
    return json.replayed === true ? 'repeated' : 'ok';
  }
  const { code = 'link_unavailable', details = {} } = json as {
    code?: string;
    details?: Record<string, unknown>;
  };
  return [code, details.refundable_minor ?? details.current_status]
    .filter((it) => it !== undefined)
    .join(' ');
}

/** Compares everything that a merchant sees with the model, which learns the ids of new payments here. */
export async function expectAgreement(model: Model, api: Client): Promise<void> {
  const all = async <Row extends Operation>(row: Row) => {
    const { json } = await api(row, { query: { limit: '100' } });
    return (json as { data: Record<string, unknown>[] }).data.toReversed();
  };
  const { listPayments, listRefunds, listPaymentLinks, listPayouts } = operations;
  const [payments, refunds, links, payouts] = await Promise.all([
    all(listPayments),
    all(listRefunds),
    all(listPaymentLinks),
    all(listPayouts),
  ]);
  for (const [index, payment] of model.payments.entries()) {
    if (payment.id === '' && payments[index] !== undefined) {
      meet(model, payment, payments[index]);
    }
  }
  const shown = {
    payments: payments.map((it) => [it.id, it.status, it.late, it.refunded_minor, it.payment_link_id]),
    refunds: refunds.map((it) => [it.id, it.status, minorOf(it), it.payment_id]),
    links: links.map((it) => [it.id, it.status, it.uses]),
    payouts: payouts.map((it) => [it.id, it.status, minorOf(it)]),
  };
  const modelled = {
    payments: model.payments.map((it) => [
      it.id,
      it.status,
      it.late,
      model.refundedOf(it),
      it.link?.id ?? null,
    ]),
    refunds: model.refunds.map((it) => [it.id, it.status, it.minor, it.payment.id]),
    links: model.links.map((it) => [it.id, it.status, model.usesOf(it)]),
    payouts: model.payouts.map((it) => [it.id, it.status, it.minor]),
  };
  assert.deepEqual(shown, modelled);
}

function meet(model: Model, payment: Payment, seen: Readonly<Record<string, unknown>>): void {
  payment.id = String(seen.id);
  const longest = payment.link === null ? MINUTES_WITHOUT_METHOD : MINUTES_FROM_LINK;
  const minutes = MINUTES_TO_PAY[payment.method ?? ''] ?? longest;
  const expiresAtMs = Date.parse(String(seen.created_at)) + minutes * MINUTE_MS;
  assert.equal(Date.parse(String(seen.expires_at)), expiresAtMs);
  model.later(expiresAtMs, 'payments_expired', () => {
    const isUnpaid = payment.status === 'created' || payment.status === 'requires_action';
    payment.status = isUnpaid ? 'expired' : payment.status;
    return isUnpaid;
  });
}

interface Saying {
  readonly outcome: string;
  readonly event_id: string | undefined;
  readonly delay_seconds: number | undefined;
}

/** A provider event, which takes effect once, and only where the state allows it when it is due. */
function say(
  model: Model,
  target: { readonly id: string; readonly status: string },
  { outcome, event_id, delay_seconds = 0 }: Saying,
  { json }: Answer,
  apply: () => boolean,
): string {
  const before = model.said.get(event_id ?? '');
  if (before !== undefined) {
    return before === `${target.id} ${outcome} ${json.action_id}` ? 'repeated' : 'event_conflict';
  }
  const { status } = target;
  if (delay_seconds > 0) {
    model.later(model.nowMs + delay_seconds * 1_000, 'simulations_applied', apply);
  } else if (!apply()) {
    return `invalid_state ${status}`;
  }
  if (event_id !== undefined) {
    model.said.set(event_id, `${target.id} ${outcome} ${json.action_id}`);
  }
  return 'ok';
}

function applyPaymentWord(payment: Payment, outcome: PaymentOutcome): boolean {
  const { from, to } = AFTER_WORD[outcome];
  const isPossible = from.includes(payment.status);
  if (isPossible) {
    payment.late = !OPEN.includes(payment.status);
    payment.status = to;
  }
  return isPossible;
}

function applyRefundWord(refund: Refund, outcome: RefundOutcome): boolean {
  const isPossible = ['requested', 'approved', 'processing'].includes(refund.status);
  if (isPossible) {
    refund.status = refund.status === 'requested' && refund.isRejected ? 'rejected' : outcome;
  }
  return isPossible;
}

function one<Thing>(things: readonly Thing[], args: { readonly index: number }): Thing {
  const thing = pick(things, args);
  if (thing === undefined) {
    throw new Error('a command is about something');
  }
  return thing;
}

function sumOf(things: readonly { readonly minor: number }[]): number {
  return things.reduce((sum, { minor }) => sum + minor, 0);
}

function minorOf({ amount }: Readonly<Record<string, unknown>>): number {
  return (amount as { readonly minor: number }).minor;
}
