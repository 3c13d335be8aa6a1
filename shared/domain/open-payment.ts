import { MINUTE_MS } from './clock.ts';
import type { ProviderAccount } from './connection.ts';
import { derivedId } from './id.ts';
import type { Money } from './money.ts';
import { formatPageToken, newPageSecret, qrAddressOf } from './page-token.ts';
import {
  createPayment,
  expiryWith,
  type Payment,
  type PaymentAttempt,
  type PaymentChange,
  type PaymentInput,
  requireAction,
} from './payment.ts';
import type { PaymentMethod } from './payment-method.ts';
import type { ProviderAttempt } from './provider-attempt.ts';
import type { PaymentId, RequestStart } from './request-start.ts';
import type { ResourceJob } from './resource-change.ts';
import { derivedBase62 } from './secret.ts';
import type { World } from './world.ts';

/** Where and when a payment is opened. */
export interface Opening {
  readonly world: Pick<World, 'id'>;
  readonly number: string;
  /** Base URL of the payer's pages. */
  readonly baseUrl: string;
  /** On the merchant's clock. */
  readonly nowMs: number;
  /** The payment link that it is made from. */
  readonly link?: { readonly id: string; readonly code: string } | undefined;
  readonly ids: PaymentIds;
  readonly isRehearsal?: boolean;
}

interface PaymentIds {
  readonly id: PaymentId;
  readonly pageSecret: string;
}

/** The id and page secret of the payment that a request makes: the same on every retry of the request. */
export function paymentIdsFrom({ atMs, secret }: RequestStart): PaymentIds {
  return {
    id: derivedId('pay', atMs, `${secret} payment`) as PaymentId,
    pageSecret: newPageSecret((chars) => derivedBase62(secret, 'page', chars)),
  };
}

/** The change that creates a payment, with status `created`. */
export function openedPayment(
  { world, number, baseUrl, nowMs, link, ids, isRehearsal = false }: Opening,
  order: PaymentInput,
): PaymentChange {
  const { id, pageSecret } = ids;
  const token = formatPageToken({ worldId: world.id, paymentId: id, secret: pageSecret });
  const pageUrl = `${baseUrl}/checkout/${token}`;
  return createPayment({ id, number, pageSecret, pageUrl, link, isRehearsal }, order, nowMs);
}

/** A request to a provider to begin a payment attempt: to collect a payment by one method. */
export interface AttemptRequest {
  readonly paymentId: PaymentId;
  /** For people to read out. A retry may send another number, since numbers have gaps. */
  readonly number: string;
  /** The provider's idempotency key: under one id it begins one attempt. */
  readonly attemptId: string;
  readonly method: PaymentMethod;
  readonly amount: Money;
  /** Until when it can be paid, on the merchant's clock. A retry for a payment from a link may send a later time. */
  readonly expiresAtMs: number;
  /** It was asked for at no earlier time, on the merchant's clock: a provider may have forgotten the key since. */
  readonly sinceMs: number;
  /** The payer's, where it is known. */
  readonly email: string | null;
  /** Addresses that the payer may be sent to. */
  readonly pages: ProviderAttempt['pages'];
}

/**
 * The request for an attempt. The attempt's id is derived from the payment, its version (the fence of the commit), the
 * method and the payer's e-mail, which may be entered on the page: so a repeated decision, or a payer who presses again
 * after a crash, asks for the same attempt, and one who corrects the e-mail asks for another.
 */
export function attemptRequestOf(payment: Payment, method: PaymentMethod, nowMs: number): AttemptRequest {
  const { id, number, version, amount, customer, updatedAtMs } = payment;
  return {
    paymentId: id,
    number,
    attemptId: derivedId('att', updatedAtMs, `${id} ${version} ${method} ${customer.email ?? ''}`),
    method,
    amount,
    expiresAtMs: expiryWith(payment, method, nowMs),
    sinceMs: updatedAtMs,
    email: customer.email,
    pages: pagesOf(payment),
  };
}

/** The change of a payment when its provider has begun the attempt. */
export function begunAttempt(
  payment: Payment,
  { attemptId: id, method }: AttemptRequest,
  { nextAction, ...known }: Pick<PaymentAttempt, 'nextAction' | 'reference' | 'account'>,
  nowMs: number,
): PaymentChange {
  return requireAction(payment, { id, method, nextAction, createdAtMs: nowMs, ...known }, nowMs);
}

/** The payment's attempt, as its provider knows it; null where it has none that a provider remembers. */
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

/** When an attempt is stopped that no payment has been stored with: who sends a request again does so earlier. */
export const ABANDONED_AFTER_MS = 30 * MINUTE_MS;

/** The job that stops what an ask may begin at this account, unless it is stored with its payment. */
export function abandonedAttemptJob(
  { paymentId, attemptId, sinceMs, pages }: AttemptRequest,
  account: ProviderAccount,
  nowMs: number,
): AbandonedAttemptJob {
  const untilMs = nowMs + ABANDONED_AFTER_MS;
  const sent = { paymentId, attemptId, account, sinceMs, untilMs, pages, reference: null };
  return { kind: 'stop-attempt', dueAtMs: untilMs, sent };
}

type AbandonedAttemptJob = Extract<ResourceJob, { kind: 'stop-attempt' }>;

function pagesOf(payment: Payment): AttemptRequest['pages'] {
  return { checkoutUrl: payment.pageUrl, qrSvgUrl: qrAddressOf(payment) };
}
