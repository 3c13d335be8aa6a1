import { Problem } from '../errors/problem.ts';
import { DAY_MS, MINUTE_MS, toTimestamp } from './clock.ts';
import { nextRefundLookUpOf } from './look-up.ts';
import { invalidState, type Machine, nextState, openStates, statesAllowing } from './machine.ts';
import { type Money, minorIn } from './money.ts';
import type { Payment } from './payment.ts';
import {
  type Consequence,
  changeOf,
  jobChange,
  nextVersion,
  type ResourceChange,
  type ResourceJob,
  type Step,
} from './resource-change.ts';
import { historyWith, type StatusHistory } from './status-history.ts';

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

/** The commands of the machine, each with the event that reports it (contract §10). */
const EVENT_OF = {
  approve: 'refund.approved',
  reject: 'refund.rejected',
  send: 'refund.processing',
  succeed: 'refund.succeeded',
  fail: 'refund.failed',
  cancel: 'refund.canceled',
} as const;
type RefundCommand = keyof typeof EVENT_OF;
export const REFUND_EVENTS = ['refund.requested', ...Object.values(EVENT_OF)] as const;
type RefundEvent = (typeof REFUND_EVENTS)[number];

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

/** The statuses of a refund that is still under way: its amount is held. */
export const OPEN_REFUND_STATUSES: ReadonlySet<RefundStatus> = new Set(openStates(refundMachine));
/** The statuses in which a refund waits for the provider's outcome. */
export const SENT_REFUND_STATUSES: ReadonlySet<RefundStatus> = new Set(
  statesAllowing(refundMachine, 'succeed'),
);

/** Why money goes back (contract §6). 9999 makes the approval step reject the refund; it is for tests. */
export const REASON_CODES = [1, 2, 3, 4, 5, 6, 9999] as const;
const REASON_REQUESTED_BY_CUSTOMER = 1;
const REASON_REJECT_IN_TESTS = 9999;

/** How long a refund waits for approval, on the merchant's clock. */
export const APPROVAL_AFTER_MS = 15 * MINUTE_MS;
/** How long after its approval a refund is handed to the provider, on the merchant's clock. */
export const SEND_AFTER_MS = MINUTE_MS;
/** How long after its success a payment can be refunded, on the merchant's clock. */
export const REFUND_WINDOW_MS = 180 * DAY_MS;

export interface Refund extends StatusHistory<RefundStatus> {
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
  /** The provider's own reference (live mode only): named so that no field of a merchant's request can be taken for it. */
  readonly providerReference?: string;
  /** The provider's result code, where the refund failed. */
  readonly failureCode?: string;
}

export interface RefundInput {
  readonly amount?: Money | undefined;
  readonly reason?: string | undefined;
  readonly reasonCode?: number | undefined;
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
  input: RefundInput,
  nowMs: number,
): RefundChange {
  if (payment.status !== 'succeeded' || payment.succeededAtMs === null) {
    throw invalidState('refund', payment.status, ['succeeded']);
  }
  const closesAtMs = payment.succeededAtMs + REFUND_WINDOW_MS;
  if (nowMs > closesAtMs) {
    throw new Problem('refund_window_closed', { details: { closed_at: toTimestamp(closesAtMs) } });
  }
  const amount = input.amount ?? { currency: payment.amount.currency, minor: payment.refundableMinor };
  if (minorIn(payment.amount.currency, amount) > payment.refundableMinor || payment.refundableMinor === 0) {
    throw new Problem('refund_amount_exceeded', { details: { refundable_minor: payment.refundableMinor } });
  }
  const refund: Refund = {
    ...identity,
    version: 1,
    paymentId: payment.id,
    status: 'requested',
    amount,
    reason: input.reason ?? null,
    reasonCode: input.reasonCode ?? REASON_REQUESTED_BY_CUSTOMER,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    succeededAtMs: null,
    ...historyWith({}, 'requested', nowMs),
  };
  const change = changeRefund(null, [{ event: 'refund.requested', previousStatus: null, after: refund }]);
  return input.amount === undefined
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
function decisionOf(refund: Refund, nowMs: number): RefundStep {
  return step(refund, refund.reasonCode === REASON_REJECT_IN_TESTS ? 'reject' : 'approve', nowMs);
}

/**
 * Hands an approved refund to the provider.
 * @param reference the provider's own (live mode only)
 */
export function sendRefund(refund: Refund, nowMs: number, reference?: string): RefundChange {
  return changeRefund(refund, [step(refund, 'send', nowMs, withReference(reference))]);
}

/** The outcomes that a provider can report for a refund (contract §9). */
export const REFUND_OUTCOMES = ['succeeded', 'failed'] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** What a provider reports beside an outcome. */
interface RefundReport {
  readonly resultCode?: string;
  /** The provider's own (live mode only). */
  readonly reference?: string;
}

/**
 * Applies an outcome that the provider reported, with every step on the way: a refund that waits for approval is
 * decided first, and ends there if it is rejected.
 * @throws Problem `invalid_state` where the refund has already ended
 */
export function applyRefundOutcome(
  refund: Refund,
  outcome: RefundOutcome,
  nowMs: number,
  { reference, resultCode }: RefundReport = {},
): RefundChange {
  const decided = refund.status === 'requested' ? decisionOf(refund, nowMs) : null;
  if (decided?.after.status === 'rejected') {
    return changeRefund(refund, [decided]);
  }
  const current = decided?.after ?? refund;
  const sent = current.status === 'approved' ? step(current, 'send', nowMs, withReference(reference)) : null;
  const failure = outcome === 'failed' && resultCode !== undefined ? { failureCode: resultCode } : {};
  const ended = step(sent?.after ?? current, outcome === 'succeeded' ? 'succeed' : 'fail', nowMs, failure);
  return changeRefund(refund, [...[decided, sent].filter((taken) => taken !== null), ended]);
}

/** The changes of the jobs `approve-refund` and `send-refund`: none where the refund has moved on before. */
export function whenRefundIsDue(
  refund: Refund,
  { kind, dueAtMs }: { readonly kind: 'approve-refund' | 'send-refund'; readonly dueAtMs: number },
): RefundChange[] {
  if (kind === 'approve-refund') {
    return refund.status === 'requested' ? [changeRefund(refund, [decisionOf(refund, dueAtMs)])] : [];
  }
  return refund.status === 'approved' ? [sendRefund(refund, dueAtMs)] : [];
}

export type RefundChange = ResourceChange<'refund', RefundEvent, Refund>;
type RefundStep = Step<RefundEvent, Refund>;

function changeRefund(before: Refund | null, steps: RefundChange['steps']): RefundChange {
  return changeOf('refund', before, steps, consequencesOf);
}

/** The effects of a refund's change on its payment's amounts and the day's balance, and when it goes on. */
function consequencesOf(before: Refund | null, after: Refund): Consequence[] {
  const { paymentId, amount, updatedAtMs, status } = after;
  // It ended without paying, so its amount is free for other refunds.
  const isDead = !OPEN_REFUND_STATUSES.has(status) && status !== 'succeeded';
  return [
    ...(before === null ? [{ kind: 'hold', paymentId, amount } as const] : []),
    ...(isDead ? [{ kind: 'release', paymentId, amount } as const] : []),
    ...(status === 'succeeded'
      ? [
          { kind: 'paid-back', paymentId, amount } as const,
          {
            kind: 'balance',
            atMs: updatedAtMs,
            amount: { ...amount, minor: -amount.minor },
            countedAs: 'refund',
          } as const,
        ]
      : []),
    ...jobChange(before && nextStepOf(before), nextStepOf(after)),
  ];
}

/** The job that takes a refund on by itself, if one does. */
function nextStepOf(refund: Refund): ResourceJob | null {
  const { id: refundId, status, updatedAtMs } = refund;
  if (status === 'requested') {
    return { kind: 'approve-refund', dueAtMs: updatedAtMs + APPROVAL_AFTER_MS, refundId };
  }
  if (status === 'approved') {
    return { kind: 'send-refund', dueAtMs: updatedAtMs + SEND_AFTER_MS, refundId };
  }
  return SENT_REFUND_STATUSES.has(status) ? nextRefundLookUpOf(refund, updatedAtMs) : null;
}

function withReference(reference: string | undefined): Partial<Refund> {
  return reference === undefined ? {} : { providerReference: reference };
}

function step(
  refund: Refund,
  command: RefundCommand,
  nowMs: number,
  change: Partial<Refund> = {},
): RefundStep {
  const status = nextState(refundMachine, refund.status, command);
  const moved = nextVersion(refund, { ...change, status }, nowMs);
  const { updatedAtMs } = moved;
  const after = {
    ...moved,
    ...(status === 'succeeded' && { succeededAtMs: updatedAtMs }),
    ...historyWith(refund, status, updatedAtMs),
  };
  return { event: EVENT_OF[command], previousStatus: refund.status, after };
}
