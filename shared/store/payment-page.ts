import { isPageSecret, parsePageToken } from '../domain/page-token.ts';
import { type Payment, paymentAsOf } from '../domain/payment.ts';
import { type World, worldNow } from '../domain/world.ts';
import { findPayment } from './payment.ts';
import { findWorld } from './world.ts';

/** What a payer's page is about. */
export interface PaymentPage {
  readonly world: World;
  /** As it is stored: for what a payer does. */
  readonly stored: Payment;
  /** As it truly is now: for what a payer sees. */
  readonly payment: Payment;
  /** On the merchant's clock. */
  readonly nowMs: number;
}

/** The payment of a payer's page, or null for a token that is not exactly the one given out. */
export async function findPaymentPage(token: string, realNowMs: number): Promise<PaymentPage | null> {
  const place = parsePageToken(token);
  const world = place && (await findWorld(place.worldId));
  const stored = place && world && (await findPayment(world, place.paymentId));
  if (place === null || world === null || stored === null || !isPageSecret(stored.pageSecret, place.secret)) {
    return null;
  }
  const nowMs = worldNow(world, realNowMs);
  return { world, stored, payment: paymentAsOf(stored, nowMs), nowMs };
}
