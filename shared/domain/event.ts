/** Everything that can be told (contract §10). */
export const EVENT_TYPES = [
  'payment.created',
  'payment.requires_action',
  'payment.processing',
  'payment.amount_mismatch',
  'payment.succeeded',
  'payment.failed',
  'payment.expired',
  'payment.canceled',
  'refund.requested',
  'refund.approved',
  'refund.rejected',
  'refund.processing',
  'refund.succeeded',
  'refund.failed',
  'refund.canceled',
  'payment_link.created',
  'payment_link.disabled',
  'payment_link.overpaid',
  'payout.created',
  'payout.paid',
  'payout.returned',
  'payout.failed',
  'settlement.matched',
  'settlement.mismatched',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The types that tell of a resource: `payment_link.created` of a `paymentLink`. */
export type EventTypeOf<Name extends string> = Extract<EventType, `${SnakeCase<Name>}.${string}`>;
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** What a resource looked like right after something happened to it. */
export interface DomainEvent<Type extends EventType = EventType, Shown = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly type: Type;
  readonly resourceId: string;
  /** The resource's version: events of one resource are told in this order. */
  readonly resourceVersion: number;
  /** On the merchant's clock. */
  readonly occurredAtMs: number;
  readonly previousStatus: string | null;
  /** The whole resource as the API shows it. */
  readonly object: Shown;
  readonly request: { readonly id: string | null; readonly idempotencyKey: string | null };
}

/** An event that has left the outbox: it has its sequence number, and its body is final to the byte. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly sequence: number;
  /** What is sent, signed and shown: JSON. */
  readonly body: string;
}
