import type { DayBalance } from './balance.ts';
import type { Money } from './money.ts';

/** One step in the life of a resource: what is told of it, and what it has become. */
export interface Step<Told extends string, Entity> {
  readonly event: Told;
  readonly previousStatus: string | null;
  readonly after: Entity;
}

/** What a command does to a resource, as a value: nothing is written by it, and nothing of it can be written apart. */
export interface ResourceChange<Name extends string, Told extends string, Entity> {
  readonly resource: Name;
  /** As it was read; null where it begins. */
  readonly before: Entity | null;
  /** What is stored is what the last one leads to, and every one is told. */
  readonly steps: readonly [Step<Told, Entity>, ...Step<Told, Entity>[]];
  readonly consequences: readonly Consequence[];
}

/** What a change means for other things, as data: it happens together with the change or not at all. */
export type Consequence =
  /** Of a payment's money, this is held back for a refund, or given back, or has been paid back. */
  | {
      readonly kind: 'hold' | 'release' | 'paid-back';
      readonly paymentId: string;
      readonly amount: Money;
    }
  /** Of the day of this instant, so much more is unsettled: less than nothing for a refund. */
  | { readonly kind: 'balance'; readonly atMs: number; readonly amount: Money }
  /** A day's balance is settled, if nothing was added to it since it was read; the rest stays unsettled. */
  | { readonly kind: 'settle-day'; readonly balance: DayBalance; readonly restMinor: bigint }
  /** What a link counts: payments that succeeded, and uses that are taken. A new payment takes one of an active link. */
  | {
      readonly kind: 'link-use';
      readonly linkId: string;
      readonly uses: number;
      readonly taken: number;
      readonly isNew: boolean;
    }
  | { readonly kind: 'job'; readonly job: ResourceJob };

/** When to look at a resource again, on the merchant's clock. */
export type ResourceJob =
  | { readonly kind: 'expire-payment'; readonly dueAtMs: number; readonly paymentId: string }
  | { readonly kind: 'approve-refund' | 'send-refund'; readonly dueAtMs: number; readonly refundId: string };

/** What a resource is after a change of it. */
export function afterOf<Entity>({
  steps,
}: {
  readonly steps: readonly [{ readonly after: Entity }, ...{ readonly after: Entity }[]];
}): Entity {
  return (steps.at(-1) ?? steps[0]).after;
}
