import { newId } from './id.ts';
import { formatPageToken, newPageSecret } from './page-token.ts';
import { createPayment, type Payment, type PaymentOrder, requireAction } from './payment.ts';
import type { Provider } from './provider.ts';
import type { World } from './world.ts';

/** Where and when a payment is opened. */
export interface Opening {
  readonly world: World;
  readonly number: string;
  /** Where the payer's pages are. */
  readonly baseUrl: string;
  /** On the merchant's clock. */
  readonly nowMs: number;
}

/** Every state that a new payment goes through at once: `created` and, where the method is known, `requires_action`. */
export function openPayment(
  provider: Provider,
  { world, number, baseUrl, nowMs }: Opening,
  order: PaymentOrder,
): readonly [Payment, ...Payment[]] {
  const id = newId('pay', nowMs);
  const pageSecret = newPageSecret();
  const checkoutUrl = `${baseUrl}/checkout/${formatPageToken({ worldId: world.id, paymentId: id, secret: pageSecret })}`;
  const created = createPayment({ id, number, pageSecret, checkoutUrl }, order, nowMs);
  if (order.method === undefined) {
    return [created];
  }
  const nextAction = provider.begin(created, order.method, {
    checkoutUrl,
    qrSvgUrl: `${checkoutUrl}/qr.svg`,
  });
  const attempt = { id: newId('att', nowMs), method: order.method, nextAction, createdAtMs: nowMs };
  return [created, requireAction(created, attempt, nowMs)];
}

export function lastOf<T>(steps: readonly [T, ...T[]]): T {
  return steps[steps.length - 1] ?? steps[0];
}
