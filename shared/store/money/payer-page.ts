import { isPageOver, isPageSecret, parsePageToken, qrSecretOf } from '../../domain/page-token.ts';
import { type Payment, paymentAsOf } from '../../domain/payment.ts';
import { type World, worldNow } from '../../domain/world.ts';
import { find } from '../table/entity.ts';
import { readAfterMove } from '../worlds/clock-move.ts';
import { findOpenWorld } from '../worlds/world.ts';

/** The payment of a payer's page, and its world. */
export interface PayerPage {
  readonly world: World;
  /** As it is stored: what the payer's actions are decided on. */
  readonly stored: Payment;
  /** As of now (`paymentAsOf`): what the payer sees. */
  readonly payment: Payment;
  /** On the merchant's clock. */
  readonly nowMs: number;
}

/** The payment of a payer's page; null where the token is wrong or the page is over. */
export function findPayerPage(token: string, realNowMs: number): Promise<PayerPage | null> {
  return findByToken(token, realNowMs, (pageSecret, given) => isPageSecret(pageSecret, given));
}

/** The payment of a QR image. The page's token works too: older addresses of QR images have it. */
export function findPaymentOfQr(token: string, realNowMs: number): Promise<PayerPage | null> {
  return findByToken(
    token,
    realNowMs,
    (pageSecret, given) => isPageSecret(qrSecretOf(pageSecret), given) || isPageSecret(pageSecret, given),
  );
}

async function findByToken(
  token: string,
  realNowMs: number,
  proves: (pageSecret: string, given: string) => boolean,
): Promise<PayerPage | null> {
  const pageToken = parsePageToken(token);
  const world = pageToken && (await findOpenWorld(pageToken.worldId));
  if (pageToken === null || world === null) {
    return null;
  }
  const nowMs = worldNow(world, realNowMs);
  const stored = await readAfterMove(
    { world, nowMs },
    () => find('payment', world, pageToken.paymentId),
    (payment) => (payment === null ? [] : [payment]),
  );
  if (stored === null || !proves(stored.pageSecret, pageToken.secret)) {
    return null;
  }
  const payment = paymentAsOf(stored, nowMs);
  return isPageOver(payment, nowMs) ? null : { world, stored, payment, nowMs };
}
