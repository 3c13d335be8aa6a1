import * as v from 'valibot';
import type { AttemptRequest } from '../../domain/attempt-request.ts';
import type { ProviderPaymentState } from '../provider.ts';
import { codeOf } from './stripe-api.ts';

/** The fields that are read of a PaymentIntent, which may be one of another system in the same account. */
export const paymentIntent = v.object({
  id: v.string(),
  status: v.string(),
  amount_received: v.pipe(v.number(), v.safeInteger()),
  currency: v.string(),
  metadata: v.record(v.string(), v.string()),
  next_action: v.nullish(
    v.object({
      promptpay_display_qr_code: v.optional(v.object({ data: v.pipe(v.string(), v.minLength(1)) })),
    }),
  ),
  last_payment_error: v.nullish(v.object({ code: v.optional(v.string()) })),
});
export type PaymentIntent = v.InferOutput<typeof paymentIntent>;

/**
 * The state of a PaymentIntent that this service created; null for a state that no such PaymentIntent can have
 * (https://docs.stripe.com/payments/paymentintents/lifecycle).
 */
export function paymentStateOf(
  intent: PaymentIntent,
  pages: AttemptRequest['pages'],
): ProviderPaymentState | null {
  const reference = intent.id;
  switch (intent.status) {
    case 'requires_action': {
      const payload = intent.next_action?.promptpay_display_qr_code?.data;
      const qr = payload === undefined ? null : { payload, imageSvgUrl: pages.qrSvgUrl };
      return qr && { reference, state: 'open', nextAction: { type: 'display_qr', qr } };
    }
    case 'processing':
      return { reference, state: 'processing' };
    case 'succeeded': {
      const received = { currency: intent.currency.toUpperCase(), minor: intent.amount_received };
      return { reference, state: 'paid', received };
    }
    case 'requires_payment_method':
      // It was confirmed when it was created, and its method has failed since.
      return { reference, state: 'failed', code: codeOf(intent.last_payment_error?.code, 'payment_failed') };
    case 'canceled':
      return { reference, state: 'canceled' };
    default:
      return null;
  }
}
