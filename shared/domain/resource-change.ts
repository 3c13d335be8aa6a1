import type { BalanceShard, CountedAs } from './balance.ts';
import type { Money } from './money.ts';
import type { ProviderAttempt } from './provider-attempt.ts';

/** One step in the life of a resource: the event that reports it, and the resource after it. */
export interface Step<EventName extends string, Entity> {
  readonly event: EventName;
  readonly previousStatus: string | null;
  readonly after: Entity;
}

/** One step or more. */
type Steps<EventName extends string, Entity> = readonly [
  ...Step<EventName, Entity>[],
  Step<EventName, Entity>,
];

/** What a command does to a resource, as data. The store writes all of it in one transaction, or none. */
export interface ResourceChange<Name extends string, EventName extends string, Entity> {
  readonly resource: Name;
  /** The resource as it was read; null where this creates it. */
  readonly before: Entity | null;
  /** Each step makes an event; the resource after the last step is stored. */
  readonly steps: Steps<EventName, Entity>;
  readonly consequences: readonly Consequence[];
}

/** An effect of a change on other items, as data: committed in the same transaction as the change. */
export type Consequence =
  /** An amount of a payment is held back for a refund, released again, or was refunded. */
  | {
      readonly kind: 'hold' | 'release' | 'paid-back';
      readonly paymentId: string;
      readonly amount: Money;
      /** A hold names all that is left, which it must still be at the commit. */
      readonly isAll?: true;
    }
  /** Adds an amount to the unsettled balance of the instant's day; negative for a refund. */
  | {
      readonly kind: 'balance';
      readonly atMs: number;
      readonly amount: Money;
      /** Absent for a payout that came back. */
      readonly countedAs?: CountedAs;
    }
  /** Settles a shard of a day's balance, if nothing was added since it was read; `restMinor` stays unsettled. */
  | { readonly kind: 'settle-day'; readonly balance: BalanceShard; readonly restMinor: bigint }
  /** Changes a link's counts (`uses`, `takenUses`) by these numbers. A new payment, which is named, needs an active link. */
  | {
      readonly kind: 'link-use';
      readonly linkId: string;
      readonly uses: number;
      readonly taken: number;
      readonly newPaymentId: string | null;
    }
  | { readonly kind: 'job'; readonly job: ResourceJob }
  /** A job with nothing left to do: removed when the change's events are dispatched. Until then it does nothing. */
  | { readonly kind: 'superseded-job'; readonly job: ResourceJob };

/** A job that continues a resource's life at `dueAtMs`, on the merchant's clock. */
export type ResourceJob = (
  | { readonly kind: 'expire-payment'; readonly paymentId: string }
  | { readonly kind: 'approve-refund'; readonly refundId: string }
  | { readonly kind: 'send-refund'; readonly refundId: string }
  /** Retrieves the payment's state from its live provider, while it has this status. */
  | { readonly kind: 'look-up-payment'; readonly paymentId: string; readonly status: string }
  | { readonly kind: 'look-up-refund'; readonly refundId: string }
  /** Cancels an attempt at a live provider whose payment was never stored. */
  | { readonly kind: 'stop-attempt'; readonly sent: ProviderAttempt }
) & {
  readonly dueAtMs: number;
  /** Set while the outcome at a live provider is unknown: since when, and the latest reason. */
  readonly unknown?: { readonly sinceMs: number; readonly why: string };
};

/** The next version of something stored. Its time, by which events sort, never runs backwards: clocks differ. */
export function nextVersion<Stored extends { readonly version: number; readonly updatedAtMs: number }>(
  before: Stored,
  change: Partial<Stored>,
  nowMs: number,
): Stored {
  const updatedAtMs = Math.max(nowMs, before.updatedAtMs);
  return { ...before, ...change, version: before.version + 1, updatedAtMs };
}

/** The resource after the last step of a change. */
export function afterOf<Entity>({ steps }: { readonly steps: Steps<string, Entity> }): Entity {
  return (steps.at(-1) ?? steps[0]).after;
}

/** What becomes of the job that continues a resource's life: the old one is superseded by the next. */
export function jobChange(old: ResourceJob | null, next: ResourceJob | null): Consequence[] {
  return [
    ...(old === null ? [] : [{ kind: 'superseded-job', job: old } as const]),
    ...(next === null ? [] : [{ kind: 'job', job: next } as const]),
  ];
}

/** The change that these steps make, with its effects on other items. */
export function changeOf<Name extends string, EventName extends string, Entity>(
  resource: Name,
  before: Entity | null,
  steps: Steps<EventName, Entity>,
  consequencesOf: (before: Entity | null, after: Entity) => readonly Consequence[],
): ResourceChange<Name, EventName, Entity> {
  return { resource, before, steps, consequences: consequencesOf(before, afterOf({ steps })) };
}
