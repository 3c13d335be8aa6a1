import { SECOND_MS } from '../clock.ts';
import { type Payment, type PaymentOutcome, paymentAsOf } from '../payment.ts';

/** What the buttons of a page of the test world let a payer do. */
export const CHECKOUT_ACTIONS = ['pay', 'fail', 'mismatch', 'late'] as const;
export type CheckoutAction = (typeof CHECKOUT_ACTIONS)[number];

const OUTCOMES: Readonly<Record<CheckoutAction, PaymentOutcome>> = {
  pay: 'succeeded',
  fail: 'failed',
  mismatch: 'mismatch',
  late: 'succeeded',
};

/**
 * What the provider is to say for a button, and when. Late is a second after the payer's time is over: at once, where
 * it is over already.
 */
export function saidByButton(
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
