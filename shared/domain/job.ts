import type { DomainEvent } from './event.ts';

/**
 * Work that is due at an instant on the merchant's clock. It is committed together with the change that causes it,
 * so it can be neither lost nor run for a change that never happened.
 */
export type Job =
  | { readonly kind: 'expire-payment'; readonly dueAtMs: number; readonly paymentId: string }
  | { readonly kind: 'approve-refund'; readonly dueAtMs: number; readonly refundId: string }
  | { readonly kind: 'publish-event'; readonly dueAtMs: number; readonly event: DomainEvent };
