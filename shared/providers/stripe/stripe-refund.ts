import * as v from 'valibot';
import type { ProviderRefundState } from '../provider.ts';
import { codeOf } from './stripe-api.ts';

/** The fields that are read of a refund. */
export const stripeRefund = v.object({
  id: v.string(),
  status: v.nullish(v.string()),
  metadata: v.nullish(v.record(v.string(), v.string())),
  failure_reason: v.nullish(v.string()),
});
export type StripeRefund = v.InferOutput<typeof stripeRefund>;

const STATES = { pending: 'processing', requires_action: 'open', succeeded: 'succeeded' } as const;

/** The state of a refund (https://docs.stripe.com/api/refunds/object); null for an unknown status. */
export function refundStateOf({
  id: reference,
  status,
  failure_reason,
}: StripeRefund): ProviderRefundState | null {
  switch (status) {
    case 'pending':
    case 'requires_action':
    case 'succeeded':
      return { reference, state: STATES[status] };
    case 'failed':
    case 'canceled':
      return { reference, state: 'failed', code: codeOf(failure_reason, status) };
    default:
      return null;
  }
}
