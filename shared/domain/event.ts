import type { EventType } from './resource.ts';

/** An event in the outbox: the resource right after one step of its life. It gets its id with its sequence number. */
export interface DomainEvent<Type extends EventType = EventType, Shown = Readonly<Record<string, unknown>>> {
  readonly type: Type;
  readonly resourceId: string;
  /** On the merchant's clock. */
  readonly occurredAtMs: number;
  readonly previousStatus: string | null;
  /** The whole resource as the API shows it. */
  readonly object: Shown;
  readonly request: { readonly id: string | null; readonly idempotencyKey: string | null };
}
