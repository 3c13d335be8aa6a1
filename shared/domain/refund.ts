import { Problem } from '../errors/problem.ts';
import { DAY_MS, MINUTE_MS } from './clock.ts';
import { nextRefundLookUpOf } from './look-up.ts';
import { type Machine, nextState } from './machine.ts';
import { type Money, minorIn } from './money.ts';
import type { Payment } from './payment.ts';
import {
  type Consequence,
  changeOf,
  type ResourceChange,
  type ResourceJob,
  type Step,
} from './resource-change.ts';

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
  /** The provider's own reference (live mode only). */
  readonly reference?: string;
}

export interface RefundInput {
  readonly amount?: Money | undefined;
  readonly reason?: string | undefined;
  readonly reason_code?: number | undefined;
}

/**
 * Creates a refund, with status `requested`; its amount is held back from other refunds.
 * @throws Problem `invalid_state` unless the payment succeeded
 * @throws Problem `refund_window_closed` after 180 days
 * @throws Problem `refund_amount_exceeded` where less than the amount is left (contract §6)
 * @throws Problem `validation_failed` for an amount in another currency
 */
export function requestRefund(
  identity: { id: string; number: string },
  payment: Payment,
  order: RefundInput,
  nowMs: number,
): RefundChange {
  if (payment.status !== 'succeeded' || payment.succeededAtMs === null) {
    throw new Problem('invalid_state', {
      details: { current_status: payment.status, allowed_from: ['succeeded'] },
    });
  }
  if (nowMs > payment.succeededAtMs + REFUND_WINDOW_MS) {
    throw new Problem('refund_window_closed');
  }
  const amount = order.amount ?? { currency: payment.amount.currency, minor: payment.refundableMinor };
  if (minorIn(payment.amount.currency, amount) > payment.refundableMinor || payment.refundableMinor === 0) {
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
  const change = changeRefund(null, [{ event: 'refund.requested', previousStatus: null, after: refund }]);
  return order.amount === undefined
    ? { ...change, consequences: change.consequences.map(holdingAll) }
    : change;
}

/** A refund without an amount takes all that is left, which must still be all that is left at the commit. */
function holdingAll(consequence: Consequence): Consequence {
  return consequence.kind === 'hold' ? { ...consequence, isAll: true } : consequence;
}

/** Withdraws a refund that is not approved yet. */
export function cancelRefund(refund: Refund, nowMs: number): RefundChange {
  return changeRefund(refund, [step(refund, 'cancel', nowMs)]);
}

/** The approval step: it approves, or rejects a refund whose reason code asks for that (contract §6). */
export function decideRefund(refund: Refund, nowMs: number): RefundChange {
  return changeRefund(refund, [decisionOf(refund, nowMs)]);
}

function decisionOf(refund: Refund, nowMs: number): RefundStep {
  return step(refund, refund.reasonCode === REASON_REJECT_IN_TESTS ? 'reject' : 'approve', nowMs);
}

/**
 * Hands an approved refund to the provider.
 * @param reference the provider's own (live mode only)
 */
export function sendRefund(refund: Refund, nowMs: number, reference?: string): RefundChange {
  return changeRefund(refund, [step(refund, 'send', nowMs, reference)]);
}

/** The outcomes that a provider can report for a refund (contract §9). */
export const REFUND_OUTCOMES = ['succeeded', 'failed'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/**
 * Applies an outcome that the provider reported, with every step on the way: a refund that waits for approval is
 * decided first, and ends there if it is rejected.
 * @param reference the provider's own (live mode only)
 * @throws Problem `invalid_state` where the refund has already ended
 */
export function applyRefundOutcome(
  refund: Refund,
  outcome: RefundOutcome,
  nowMs: number,
  reference?: string,
): RefundChange {
  const steps: RefundStep[] = [];
  const current = () => steps.at(-1)?.after ?? refund;
  if (current().status === 'requested') {
    steps.push(decisionOf(refund, nowMs));
  }
  if (current().status === 'approved') {
    steps.push(step(current(), 'send', nowMs, reference));
  }
  if (steps.length === 0 || current().status !== 'rejected') {
    steps.push(step(current(), outcome === 'succeeded' ? 'succeed' : 'fail', nowMs));
  }
  return changeRefund(refund, steps);
}

/** The changes of the jobs `approve-refund` and `send-refund`: none where the refund has moved on before. */
export function whenRefundIsDue(
  refund: Refund,
  { kind, dueAtMs }: { readonly kind: 'approve-refund' | 'send-refund'; readonly dueAtMs: number },
): RefundChange[] {
  if (kind === 'approve-refund') {
    return refund.status === 'requested' ? [decideRefund(refund, dueAtMs)] : [];
  }
  return refund.status === 'approved' ? [sendRefund(refund, dueAtMs)] : [];
}

/** Whether a refund ended without paying, so that its amount is free for other refunds. */
export function isDead({ status }: Refund): boolean {
  return status === 'rejected' || status === 'canceled' || status === 'failed';
}

/** The events of a refund (contract §10). */
export const REFUND_EVENTS = [
  'refund.requested',
  'refund.approved',
  'refund.rejected',
  'refund.processing',
  'refund.succeeded',
  'refund.failed',
  'refund.canceled',
] as const;
type RefundEvent = (typeof REFUND_EVENTS)[number];

export type RefundChange = ResourceChange<'refund', RefundEvent, Refund>;
type RefundStep = Step<RefundEvent, Refund>;

function changeRefund(before: Refund | null, steps: readonly RefundStep[]): RefundChange {
  return changeOf('refund', before, steps, consequencesOf);
}

/** The effects of a refund's change on its payment's amounts and the day's balance, and when it goes on. */
function consequencesOf(before: Refund | null, after: Refund): Consequence[] {
  const { paymentId, amount, updatedAtMs, status } = after;
  const [old, next] = [before && nextStepOf(before), nextStepOf(after)];
  return [
    ...(before === null ? [{ kind: 'hold', paymentId, amount } as const] : []),
    ...(isDead(after) ? [{ kind: 'release', paymentId, amount } as const] : []),
    ...(status === 'succeeded'
      ? [
          { kind: 'paid-back', paymentId, amount } as const,
          { kind: 'balance', atMs: updatedAtMs, amount: { ...amount, minor: -amount.minor } } as const,
        ]
      : []),
    ...(old === null ? [] : [{ kind: 'superseded-job', job: old } as const]),
    ...(next === null ? [] : [{ kind: 'job', job: next } as const]),
  ];
}

/** The job that takes a refund on by itself, if one does. */
function nextStepOf(refund: Refund): ResourceJob | null {
  const { id: refundId, status, updatedAtMs } = refund;
  switch (status) {
    case 'requested':
      return { kind: 'approve-refund', dueAtMs: updatedAtMs + APPROVAL_AFTER_MS, refundId };
    case 'approved':
      return { kind: 'send-refund', dueAtMs: updatedAtMs + SEND_AFTER_MS, refundId };
    case 'processing':
      return nextRefundLookUpOf(refund, updatedAtMs);
    default:
      return null;
  }
}

function step(refund: Refund, command: RefundCommand, nowMs: number, reference?: string): RefundStep {
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
      ...(reference !== undefined && { reference }),
    },
  };
}
