import { type PaymentStatus, paymentMachine } from '../../../shared/domain/payment.ts';
import type { StoredIntent } from '../../support/stripe/stripe-account.ts';

/** The status of a payment here, once its outcome at Stripe is known. */
export function statusAfter(
  here: PaymentStatus,
  { status, amount, amount_received }: StoredIntent,
  isOver: boolean,
): PaymentStatus {
  const { expire, hold, fail, mismatch, succeed } = paymentMachine[here];
  switch (status) {
    case 'succeeded':
      return (amount_received === amount ? succeed : mismatch) ?? here;
    case 'processing':
      return hold ?? here;
    case 'requires_payment_method':
      return fail ?? here;
    case 'canceled':
      return expire === undefined ? here : isOver ? 'expired' : 'canceled';
    default:
      // Over, it is shown as expired; until Stripe has canceled it, what Stripe reports still counts (contract §15).
      return here;
  }
}

/** The status of a refund here, once its outcome at Stripe is known. */
export const REFUND_AFTER: Readonly<Record<string, string>> = {
  requires_action: 'processing',
  pending: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};
