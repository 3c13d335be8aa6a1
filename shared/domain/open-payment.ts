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
  /** Where the payer's pages are. */
  readonly baseUrl: string;
  /** On the merchant's clock. */
  readonly nowMs: number;
  /** The link that it is made from. */
  readonly link?: { readonly id: string; readonly code: string } | undefined;
  readonly ids: PaymentIds;
}

interface PaymentIds {
  readonly id: PaymentId;
  readonly pageSecret: string;
}

/** The id and the secret of the payment that a request makes: the same, however often it is run. */
export function paymentIdsFrom({ atMs, secret }: Beginning): PaymentIds {
  return {
    id: derivedId('pay', atMs, `${secret} payment`) as PaymentId,
    pageSecret: newPageSecret((chars) => derivedBase62(secret, 'page', chars)),
  };
}

/** A payment as it begins: `created`. */
export function openedPayment(
  { world, number, baseUrl, nowMs, link, ids }: Opening,
  order: PaymentOrder,
): PaymentChange {
  const { id, pageSecret } = ids;
  const token = formatPageToken({ worldId: world.id, paymentId: id, secret: pageSecret });
  const pageUrl = `${baseUrl}/checkout/${token}`;
  return createPayment({ id, number, pageSecret, pageUrl, link }, order, nowMs);
}

/** What a provider is asked for: to begin to collect a payment by a method. */
export interface Ask {
  readonly paymentId: PaymentId;
  /** For people to read out. It may be another one when the same is asked again: numbers have gaps. */
  readonly number: string;
  /** The key under which the provider begins this once. */
  readonly attemptId: string;
  readonly method: PaymentMethod;
  readonly amount: Money;
  /** Until when it can be paid, on the merchant's clock; of a link's payment later, where its payer presses later. */
  readonly expiresAtMs: number;
  /** Addresses that the payer may be sent to. */
  readonly pages: { readonly checkoutUrl: string; readonly qrSvgUrl: string };
}

/**
 * The ask for an attempt. Its id is derived from the payment, the version that it is made from, which is the fence of
 * its commit, and the method: whoever decides the same again, or a payer who presses again after a crash, asks for the same.
 */
export function askFor(payment: Payment, method: PaymentMethod, nowMs: number): Ask {
  const { id, number, version, amount, pageUrl, updatedAtMs } = payment;
  return {
    paymentId: id,
    number,
    attemptId: derivedId('att', updatedAtMs, `${id} ${version} ${method}`),
    method,
    amount,
    expiresAtMs: expiryWith(payment, method, nowMs),
    pages: { checkoutUrl: pageUrl, qrSvgUrl: qrAddressOf(payment) },
  };
}

/** What a payment becomes when its provider has begun what it was asked for. */
export function begunAttempt(
  payment: Payment,
  ask: Ask,
  nextAction: NextAction,
  nowMs: number,
): PaymentChange {
  const { attemptId: id, method } = ask;
  return requireAction(payment, { id, method, nextAction, createdAtMs: nowMs }, nowMs);
}
