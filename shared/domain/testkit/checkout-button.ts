import { SECOND_MS } from '../clock.ts';
import { type Payment, type PaymentOutcome, paymentAsOf } from '../payment.ts';

/** The buttons on a payer's page in test mode. */
export const CHECKOUT_ACTIONS = ['pay', 'fail', 'mismatch', 'late'] as const;
export type CheckoutAction = (typeof CHECKOUT_ACTIONS)[number];

const OUTCOMES: Readonly<Record<CheckoutAction, PaymentOutcome>> = {
  pay: 'succeeded',
  fail: 'failed',
  mismatch: 'mismatch',
  late: 'succeeded',
};

/**
 * The outcome that the simulated provider reports for a button, and after how long. `late` is one second after the
 * payment expires, or at once where it has expired already.
 */
export function outcomeOfButton(
  action: CheckoutAction,
  payment: Payment,
  nowMs: number,
): { readonly outcome: PaymentOutcome; readonly delaySeconds: number } {
  const { status } = paymentAsOf(payment, nowMs);
  const isOver = status === 'expired' || status === 'canceled';
  const delaySeconds =
    action === 'late' && !isOver ? Math.ceil((payment.expiresAtMs - nowMs) / SECOND_MS) + 1 : 0;
  return { outcome: OUTCOMES[action], delaySeconds };
}
