import { derivedId } from './id.ts';
import { derivedPageSecret, formatPageToken } from './page-token.ts';
import { createPayment, type PaymentChange, type PaymentInput } from './payment.ts';
import type { PaymentId, RequestStart } from './request-start.ts';
import type { World } from './world.ts';

/** Where and when a payment is created. */
export interface NewPaymentContext {
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
    pageSecret: derivedPageSecret(secret, 'page'),
  };
}

/** The change that creates a payment, with status `created`. */
export function newPayment(
  { world, number, baseUrl, nowMs, link, ids, isRehearsal = false }: NewPaymentContext,
  input: PaymentInput,
): PaymentChange {
  const { id, pageSecret } = ids;
  const token = formatPageToken({ worldId: world.id, paymentId: id, secret: pageSecret });
  const pageUrl = `${baseUrl}/checkout/${token}`;
  return createPayment({ id, number, pageSecret, pageUrl, link, isRehearsal }, input, nowMs);
}
