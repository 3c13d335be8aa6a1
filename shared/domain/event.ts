import type { EventType } from './resource.ts';

/** An event before it is published: the resource right after one step of its life. */
export interface DomainEvent<Type extends EventType = EventType, Shown = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly type: Type;
  readonly resourceId: string;
  /** The resource's version: events of one resource are published in this order. */
  readonly resourceVersion: number;
  /** On the merchant's clock. */
  readonly occurredAtMs: number;
  readonly previousStatus: string | null;
  /** The whole resource as the API shows it. */
  readonly object: Shown;
  readonly request: { readonly id: string | null; readonly idempotencyKey: string | null };
}
