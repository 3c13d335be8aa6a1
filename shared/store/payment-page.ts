import { isPageSecret, parsePageToken } from '../domain/page-token.ts';
import { type Payment, paymentAsOf } from '../domain/payment.ts';
import { worldNow } from '../domain/world.ts';
import { findPayment } from './payment.ts';
import { findWorld } from './world.ts';

/** The payment of a payer's page, or null for a token that is not exactly the one given out. */
export async function findPaymentOfPage(token: string, realNowMs: number): Promise<Payment | null> {
  const place = parsePageToken(token);
  const world = place && (await findWorld(place.worldId));
  const payment = place && world && (await findPayment(world, place.paymentId));
  if (
    place === null ||
    world === null ||
    payment === null ||
    !isPageSecret(payment.pageSecret, place.secret)
  ) {
    return null;
  }
  return paymentAsOf(payment, worldNow(world, realNowMs));
}
