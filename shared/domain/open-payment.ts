import { lastOf } from './event.ts';
import { newId } from './id.ts';
import { formatPageToken, newPageSecret, qrAddressOf } from './page-token.ts';
import {
  createPayment,
  type Payment,
  type PaymentOrder,
  type PaymentStep,
  requireAction,
} from './payment.ts';
import type { PaymentMethod } from './payment-method.ts';
import type { Provider } from './provider.ts';
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
  readonly link?: { readonly id: string; readonly code: string };
  /** Given where the same payment must come out again. */
  readonly ids?: PaymentIds;
}

interface PaymentIds {
  readonly id: string;
  readonly attemptId: string;
  readonly pageSecret: string;
}

function newPaymentIds(nowMs: number): PaymentIds {
  return { id: newId('pay', nowMs), attemptId: newId('att', nowMs), pageSecret: newPageSecret() };
}

/** Every step that a new payment takes at once: `created` and, where the method is known, `requires_action`. */
export function openPayment(provider: Provider, opening: Opening, order: PaymentOrder) {
  const { world, number, baseUrl, nowMs, link, ids = newPaymentIds(nowMs) } = opening;
  const { id, attemptId, pageSecret } = ids;
  const token = formatPageToken({ worldId: world.id, paymentId: id, secret: pageSecret });
  const pageUrl = `${baseUrl}/checkout/${token}`;
  const created = createPayment({ id, number, pageSecret, pageUrl, link }, order, nowMs);
  const steps: PaymentStep[] = [
    { event: 'payment.created', previousStatus: null, after: created },
    ...(order.method === undefined ? [] : [beginAttempt(provider, created, order.method, nowMs, attemptId)]),
  ];
  return { steps, payment: lastOf(created, steps) };
}

/** Begins to collect a payment by a method. */
export function beginAttempt(
  provider: Provider,
  payment: Payment,
  method: PaymentMethod,
  nowMs: number,
  attemptId = newId('att', nowMs),
): PaymentStep {
  const pages = { checkoutUrl: payment.pageUrl, qrSvgUrl: qrAddressOf(payment) };
  const nextAction = provider.begin(payment, method, pages);
  return requireAction(payment, { id: attemptId, method, nextAction, createdAtMs: nowMs }, nowMs);
}
