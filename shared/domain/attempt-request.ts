import { MINUTE_MS } from './clock.ts';
import type { ProviderAccount } from './connection.ts';
import { derivedId } from './id.ts';
import type { JobOf } from './job.ts';
import type { Money } from './money.ts';
import { qrAddressOf } from './page-token.ts';
import {
  choicesOf,
  expiryWith,
  type Payment,
  type PaymentAttempt,
  type PaymentChange,
  requireAction,
} from './payment.ts';
import type { PaymentMethod } from './payment-method.ts';
import type { ProviderAttempt } from './provider-attempt.ts';
import type { PaymentId } from './request-start.ts';

/** A request to a provider to start a payment attempt: to collect a payment by one method. */
export interface AttemptRequest {
  readonly paymentId: PaymentId;
  /** For people to read out. A retry may send another number, since numbers have gaps. */
  readonly number: string;
  /** The provider's idempotency key: under one id it starts one attempt. */
  readonly attemptId: string;
  readonly method: PaymentMethod;
  readonly amount: Money;
  /** Until when it can be paid, on the merchant's clock. A retry for a payment from a link may send a later time. */
  readonly expiresAtMs: number;
  /** The earliest request for this attempt, on the merchant's clock: the provider may have dropped its key since. */
  readonly sinceMs: number;
  /** The payer's, where it is known. */
  readonly email: string | null;
  /** Addresses that the payer may be sent to. */
  readonly pages: ProviderAttempt['pages'];
}

/**
 * The request for an attempt. The attempt's id is derived from the payment, the attempt's own number, the method and the
 * payer's email, which may be entered on the page. So a repeated decision, or a payer who presses again after a crash,
 * requests the same attempt, whatever else has changed, and another choice or a corrected email requests another one.
 */
export function attemptRequestOf(payment: Payment, method: PaymentMethod, nowMs: number): AttemptRequest {
  const { id, number, amount, customer } = payment;
  const attemptNumber = choicesOf(payment) + 1;
  // Since then, the payment can have this attempt.
  const sinceMs = payment.attempt?.createdAtMs ?? payment.createdAtMs;
  return {
    paymentId: id,
    number,
    attemptId: derivedId('att', sinceMs, `${id} ${attemptNumber} ${method} ${customer.email ?? ''}`),
    method,
    amount,
    expiresAtMs: expiryWith(payment, method, nowMs),
    sinceMs,
    email: customer.email,
    pages: pagesOf(payment),
  };
}

/** The change of a payment when its provider has started the attempt. */
export function startAttempt(
  payment: Payment,
  { attemptId: id, method }: AttemptRequest,
  { nextAction, ...known }: Pick<PaymentAttempt, 'nextAction' | 'reference' | 'account'>,
  nowMs: number,
): PaymentChange {
  return requireAction(payment, { id, method, nextAction, createdAtMs: nowMs, ...known }, nowMs);
}

/** The payment's attempt, as its provider knows it; null where no live provider has one. */
export function providerAttemptOf(payment: Payment): ProviderAttempt | null {
  const { id: paymentId, attempt } = payment;
  if (attempt?.reference === undefined) {
    return null;
  }
  const { id: attemptId, reference, account, createdAtMs } = attempt;
  const times = { sinceMs: createdAtMs, untilMs: createdAtMs };
  const at = account && { account };
  return { paymentId, attemptId, ...at, reference, ...times, pages: pagesOf(payment) };
}

/** When an attempt is canceled if its payment was never stored: a retry of the request comes earlier. */
export const ABANDONED_AFTER_MS = 30 * MINUTE_MS;

/** The job that cancels an attempt that a request may start at this account, unless its payment is stored by then. */
export function abandonedAttemptJob(
  { paymentId, attemptId, sinceMs, pages }: AttemptRequest,
  account: ProviderAccount,
  nowMs: number,
): JobOf<'stop-attempt'> {
  const untilMs = nowMs + ABANDONED_AFTER_MS;
  const sent = { paymentId, attemptId, account, sinceMs, untilMs, pages, reference: null };
  return { kind: 'stop-attempt', dueAtMs: untilMs, sent };
}

function pagesOf(payment: Payment): AttemptRequest['pages'] {
  return { checkoutUrl: payment.pageUrl, qrSvgUrl: qrAddressOf(payment) };
}
