import type { Change } from '../domain/change.ts';
import { newId } from '../domain/id.ts';
import type { Money } from '../domain/money.ts';
import {
  cancelPayment,
  isExpiryUnseen,
  OPEN_STATUSES,
  type Payment,
  type PaymentOutcome,
  whenPaymentIsDue,
} from '../domain/payment.ts';
import { paymentProviderEvent } from '../domain/provider-event.ts';
import { applyRefundOutcome, type Refund, SENT_REFUND_STATUSES, sendRefund } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import { isProblem } from '../errors/problem.ts';
import type { ProviderPaymentState, ProviderRefundState } from '../providers/provider.ts';
import { findProviderEvent } from '../store/events/provider-event.ts';
import { readLinkOfEnded } from '../store/money/payment-link.ts';
import { COUNTED_LINES } from '../telemetry/counted-lines.ts';
import { log } from '../telemetry/log.ts';
import { applyPaymentEvent } from './apply-provider-event.ts';

/*
 * Applies the state that a live provider reports (contract §15), by the same path as a simulated event. The event id is
 * derived from the state. So a state that a notification and a look-up both report is applied once.
 */

/**
 * The changes that a reported state causes: none if it is already known.
 * @param reported null: the provider has no such attempt, so it cannot be paid
 * @param nowMs on the merchant's clock
 */
export async function applyProviderPaymentState(
  world: World,
  payment: Payment,
  reported: ProviderPaymentState | null,
  nowMs: number,
): Promise<readonly Change[]> {
  if (reported === null || reported.state === 'canceled') {
    return endUnpaid(payment, nowMs);
  }
  const reportedOutcome = outcomeOf(payment, reported);
  if (reportedOutcome === null) {
    return [];
  }
  const { outcome, amount, code } = reportedOutcome;
  const eventId = [
    'prv',
    reported.reference,
    outcome,
    ...(amount === undefined ? [] : [amount.currency, amount.minor]),
  ].join('_');
  if ((await findProviderEvent(world, eventId)) !== null) {
    return [];
  }
  if (outcome === 'mismatch') {
    log.error(COUNTED_LINES.AmountMismatched, { payment: payment.id, expected: payment.amount, amount });
  }
  const ids = { eventId, actionId: newId('act', nowMs) };
  const event = paymentProviderEvent(payment, ids, { outcome, resultCode: code, amount });
  try {
    const link = await readLinkOfEnded(world, payment);
    // Until its provider has stopped it, a payment goes on past its expiry. Only a success is marked as late then.
    const isUnstopped = outcome !== 'succeeded' && isExpiryUnseen(payment, nowMs);
    const atMs = isUnstopped ? payment.expiresAtMs - 1 : nowMs;
    const { changes, state } = await applyPaymentEvent(world, payment, event, atMs, link);
    return [{ kind: 'provider-event', event, state }, ...changes];
  } catch (error) {
    if (!isProblem(error, 'invalid_state')) {
      throw error;
    }
    // No transition of the payment accepts this money. It needs manual review.
    const { id, status } = payment;
    log.error(COUNTED_LINES.ProviderContradicted, { payment: id, status, outcome });
    return [{ kind: 'provider-event', event, state: 'skipped' }];
  }
}

/** Ends a payment that can no longer be paid. */
function endUnpaid(payment: Payment, nowMs: number): readonly Change[] {
  if (payment.status === 'processing') {
    // The provider has reported its money as being on the way.
    log.error(COUNTED_LINES.ProviderContradicted, { payment: payment.id, status: payment.status });
  }
  const expired = whenPaymentIsDue(payment, nowMs);
  return expired.length === 0 && payment.status === 'requires_action'
    ? [cancelPayment(payment, nowMs)]
    : expired;
}

interface ReportedOutcome {
  readonly outcome: PaymentOutcome;
  readonly amount?: Money;
  readonly code?: string;
}

/** The outcome that a reported state means for a payment; null if the payer has not paid yet or it is already known. */
function outcomeOf(payment: Payment, reported: ProviderPaymentState): ReportedOutcome | null {
  const isOpen = OPEN_STATUSES.has(payment.status);
  switch (reported.state) {
    case 'paid': {
      const { currency, minor } = payment.amount;
      // Another amount is passed on unchanged, even in a currency that this service does not support.
      const amount = reported.received as Money;
      const isWhole = amount.currency === currency && amount.minor === minor;
      return payment.status === 'succeeded' ? null : { outcome: isWhole ? 'succeeded' : 'mismatch', amount };
    }
    case 'failed':
      return isOpen ? { outcome: 'failed', code: reported.code } : null;
    case 'processing':
      return payment.status === 'requires_action' ? { outcome: 'pending' } : null;
    default:
      return null;
  }
}

/** The changes that a reported state causes in an approved refund: none if it is already known. */
export function applyProviderRefundState(
  refund: Refund,
  reported: ProviderRefundState,
  nowMs: number,
): readonly Change[] {
  const { state, reference } = reported;
  if (state !== 'succeeded' && state !== 'failed') {
    return refund.status === 'approved' ? [sendRefund(refund, nowMs, reference)] : [];
  }
  if (refund.status === state) {
    return [];
  }
  if (refund.status !== 'approved' && !SENT_REFUND_STATUSES.has(refund.status)) {
    // A bank may return the money of a refund that has already ended.
    const { id, status } = refund;
    log.error(COUNTED_LINES.ProviderContradicted, { refund: id, status, outcome: state });
    return [];
  }
  const failure = reported.state === 'failed' ? { resultCode: reported.code } : {};
  return [applyRefundOutcome(refund, state, nowMs, { reference, ...failure })];
}
