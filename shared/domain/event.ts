import type { PaymentStatus } from './payment.ts';
import type { LinkStatus } from './payment-link.ts';
import type { RefundStatus } from './refund.ts';

/** What can be told (contract §10): what became of a payment, a refund or a link. */
export type EventType =
  | `payment.${PaymentStatus}`
  | `refund.${RefundStatus}`
  | 'payment_link.created'
  | 'payment_link.disabled';

/** What a resource looked like right after something happened to it. */
export interface DomainEvent {
  readonly id: string;
  readonly type: EventType;
  readonly resourceId: string;
  /** The resource's version: events of one resource are told in this order. */
  readonly resourceVersion: number;
  /** On the merchant's clock. */
  readonly occurredAtMs: number;
  readonly previousStatus: PaymentStatus | RefundStatus | LinkStatus | null;
  /** The whole resource as the API shows it. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly request: { readonly id: string; readonly idempotencyKey: string | null };
}
