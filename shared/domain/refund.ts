import { Problem } from '../errors/problem.ts';
import { DAY_MS, MINUTE_MS } from './clock.ts';
import { lastOf, type Step } from './event.ts';
import { type Machine, nextState } from './machine.ts';
import type { Money } from './money.ts';
import type { Payment } from './payment.ts';

export const REFUND_STATUSES = [
  'requested',
  'approved',
  'rejected',
  'canceled',
  'processing',
  'failed',
  'succeeded',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export type RefundCommand = 'approve' | 'reject' | 'cancel' | 'send' | 'succeed' | 'fail';

/** The life of a refund (contract §6). */
export const refundMachine: Machine<RefundStatus, RefundCommand> = {
  requested: { approve: 'approved', reject: 'rejected', cancel: 'canceled' },
  approved: { send: 'processing' },
  processing: { succeed: 'succeeded', fail: 'failed' },
  rejected: {},
  canceled: {},
  failed: {},
  succeeded: {},
};

/** Why money goes back (contract §6). 9999 makes the approval step reject the refund; it is for tests. */
export const REASON_CODES = [1, 2, 3, 4, 5, 6, 9999] as const;
export const REASON_REQUESTED_BY_CUSTOMER = 1;
const REASON_REJECT_IN_TESTS = 9999;

/** How long a refund waits for approval, on the merchant's clock. */
export const APPROVAL_AFTER_MS = 15 * MINUTE_MS;
/** How long after its approval a refund is handed to the provider, on the merchant's clock. */
export const SEND_AFTER_MS = MINUTE_MS;
/** How long after its success a payment can be refunded, on the merchant's clock. */
export const REFUND_WINDOW_MS = 180 * DAY_MS;

export interface Refund {
  readonly id: string;
  readonly number: string;
  readonly version: number;
  readonly paymentId: string;
  readonly status: RefundStatus;
  readonly amount: Money;
  readonly reason: string | null;
  readonly reasonCode: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly succeededAtMs: number | null;
}

export interface RefundOrder {
  readonly amount?: Money | undefined;
  readonly reason?: string | undefined;
  readonly reason_code?: number | undefined;
}

/**
 * A refund as it begins: `requested`, holding its amount back from other refunds.
 * @throws Problem `invalid_state` unless the payment succeeded
 * @throws Problem `refund_window_closed` after 180 days
 * @throws Problem `refund_amount_exceeded` where less than the amount is left (contract §6)
 */
export function requestRefund(
  identity: { id: string; number: string },
  payment: Payment,
  order: RefundOrder,
  nowMs: number,
): RefundStep {
  if (payment.status !== 'succeeded' || payment.succeededAtMs === null) {
    throw new Problem('invalid_state', {
      details: { current_status: payment.status, allowed_from: ['succeeded'] },
    });
  }
  if (nowMs > payment.succeededAtMs + REFUND_WINDOW_MS) {
    throw new Problem('refund_window_closed');
  }
  const amount = order.amount ?? { currency: payment.amount.currency, minor: payment.refundableMinor };
  if (amount.minor > payment.refundableMinor || payment.refundableMinor === 0) {
    throw new Problem('refund_amount_exceeded', { details: { refundable_minor: payment.refundableMinor } });
  }
  const refund: Refund = {
    id: identity.id,
    number: identity.number,
    version: 1,
    paymentId: payment.id,
    status: 'requested',
    amount,
    reason: order.reason ?? null,
    reasonCode: order.reason_code ?? REASON_REQUESTED_BY_CUSTOMER,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    succeededAtMs: null,
  };
  return { event: 'refund.requested', previousStatus: null, after: refund };
}

/** Withdraws a refund that is not approved yet. */
export function cancelRefund(refund: Refund, nowMs: number): RefundStep {
  return step(refund, 'cancel', nowMs);
}

/** The approval step: it rejects what was requested with the reason code for that (contract §6). */
export function decideRefund(refund: Refund, nowMs: number): RefundStep {
  return step(refund, refund.reasonCode === REASON_REJECT_IN_TESTS ? 'reject' : 'approve', nowMs);
}

/** Hands an approved refund to the provider. */
export function sendRefund(refund: Refund, nowMs: number): RefundStep {
  return step(refund, 'send', nowMs);
}

/** What a provider can say about a refund (contract §9). */
export const REFUND_OUTCOMES = ['succeeded', 'failed'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/**
 * What a refund becomes when its provider has spoken, every step on the way included: one that waits for approval is
 * decided first, and ends there where it is rejected.
 * @throws Problem `invalid_state` where the refund has ended already
 */
export function applyRefundOutcome(refund: Refund, outcome: RefundOutcome, nowMs: number): RefundStep[] {
  const steps: RefundStep[] = [];
  if (refund.status === 'requested') {
    steps.push(decideRefund(refund, nowMs));
  }
  if (steps.at(-1)?.after.status === 'rejected') {
    return steps;
  }
  if (lastOf(refund, steps).status === 'approved') {
    steps.push(sendRefund(lastOf(refund, steps), nowMs));
  }
  return [...steps, step(lastOf(refund, steps), outcome === 'succeeded' ? 'succeed' : 'fail', nowMs)];
}

/** Whether a refund will never happen, so that its money is free for others. */
export function isDead({ status }: Refund): boolean {
  return status === 'rejected' || status === 'canceled' || status === 'failed';
}

export type RefundStep = Step<Refund>;

function step(refund: Refund, command: RefundCommand, nowMs: number): RefundStep {
  const status = nextState(refundMachine, refund.status, command);
  const updatedAtMs = Math.max(nowMs, refund.updatedAtMs);
  return {
    event: `refund.${status}`,
    previousStatus: refund.status,
    after: {
      ...refund,
      status,
      version: refund.version + 1,
      updatedAtMs,
      succeededAtMs: status === 'succeeded' ? updatedAtMs : refund.succeededAtMs,
    },
  };
}
