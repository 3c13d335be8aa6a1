import type { PaymentView } from '../contract/payments.ts';
import { formatMoney } from './amounts.ts';
import { storyTexts } from './story-texts.ts';
import { secondsText } from './times.ts';

/** Why a payment needs somebody: its money came late, or was not the amount asked for. */
type PaymentNeed = 'late' | 'mismatch';

/** What of a payment tells whether it needs somebody, and why. */
export type NeedFields = Pick<
  PaymentView,
  | 'amount'
  | 'expires_at'
  | 'handled_at'
  | 'late'
  | 'received'
  | 'refunded_minor'
  | 'status_history'
  | 'succeeded_at'
>;

/**
 * Why a payment needs somebody (contract §18); null where it does not, no longer does since it was handled or refunded, or
 * is no payment.
 */
export function paymentNeed(payment: Partial<NeedFields>): PaymentNeed | null {
  const { late = false, received = null, handled_at = null, refunded_minor = 0 } = payment;
  if (handled_at !== null || refunded_minor > 0) {
    return null;
  }
  return received === null ? (late ? 'late' : null) : 'mismatch';
}

/** Why a payment needs somebody, in a sentence; null where it does not. */
export function needText(payment: NeedFields): string | null {
  const { amount, received, expires_at, status_history: history, succeeded_at } = payment;
  if (paymentNeed(payment) === null) {
    return null;
  }
  if (received !== null) {
    return storyTexts.needs.mismatch(formatMoney(received), formatMoney(amount));
  }
  const canceled = history.findLast(({ status }) => status === 'canceled');
  const endedAt = canceled?.at ?? expires_at;
  const length = secondsText((Date.parse(succeeded_at ?? endedAt) - Date.parse(endedAt)) / 1_000);
  const { lateAfterCancellation, lateAfterExpiry } = storyTexts.needs;
  return (canceled === undefined ? lateAfterExpiry : lateAfterCancellation)(length);
}
