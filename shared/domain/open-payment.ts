import type { Beginning, PaymentId } from './beginning.ts';
import { derivedId } from './id.ts';
import type { Money } from './money.ts';
import type { NextAction } from './next-action.ts';
import { formatPageToken, newPageSecret, qrAddressOf } from './page-token.ts';
import {
  createPayment,
  expiryWith,
  type Payment,
  type PaymentChange,
  type PaymentOrder,
  requireAction,
} from './payment.ts';
import type { PaymentMethod } from './payment-method.ts';
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
}

interface PaymentIds {
  readonly id: PaymentId;
  readonly pageSecret: string;
}

/** The id and page secret of the payment that a request makes: the same on every retry of the request. */
export function paymentIdsFrom({ atMs, secret }: Beginning): PaymentIds {
  return {
    id: derivedId('pay', atMs, `${secret} payment`) as PaymentId,
    pageSecret: newPageSecret((chars) => derivedBase62(secret, 'page', chars)),
  };
}

/** The change that creates a payment, with status `created`. */
export function openedPayment(
  { world, number, baseUrl, nowMs, link, ids }: Opening,
  order: PaymentOrder,
): PaymentChange {
  const { id, pageSecret } = ids;
  const token = formatPageToken({ worldId: world.id, paymentId: id, secret: pageSecret });
  const pageUrl = `${baseUrl}/checkout/${token}`;
  return createPayment({ id, number, pageSecret, pageUrl, link }, order, nowMs);
}

/** A request to a provider to begin a payment attempt: to collect a payment by one method. */
export interface Ask {
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
  readonly pages: { readonly checkoutUrl: string; readonly qrSvgUrl: string };
}

/**
 * The request for an attempt. The attempt's id is derived from the payment, its version (the fence of the commit) and
 * the method: so a repeated decision, or a payer who presses again after a crash, asks for the same attempt.
 */
export function askFor(payment: Payment, method: PaymentMethod, nowMs: number): Ask {
  const { id, number, version, amount, customer, pageUrl, updatedAtMs } = payment;
  return {
    paymentId: id,
    number,
    attemptId: derivedId('att', updatedAtMs, `${id} ${version} ${method}`),
    method,
    amount,
    expiresAtMs: expiryWith(payment, method, nowMs),
    sinceMs: updatedAtMs,
    email: customer.email,
    pages: { checkoutUrl: pageUrl, qrSvgUrl: qrAddressOf(payment) },
  };
}

/** The change of a payment when its provider has begun the attempt. */
export function begunAttempt(
  payment: Payment,
  ask: Ask,
  nextAction: NextAction,
  nowMs: number,
): PaymentChange {
  const { attemptId: id, method } = ask;
  return requireAction(payment, { id, method, nextAction, createdAtMs: nowMs }, nowMs);
}
