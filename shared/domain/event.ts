import type { EventType } from './resource.ts';

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
