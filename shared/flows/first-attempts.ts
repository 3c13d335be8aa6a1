import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Target } from '../domain/delivery.ts';
import type { PublishedEvent } from '../domain/published-event.ts';
import { deliver } from '../webhooks/deliver.ts';
import type { Poster } from '../webhooks/poster.ts';
import type { Slots } from './slots.ts';

/** How long, in real time, those who tell others wait for one receiver. */
export const PATIENCE_MS = 1_000;

/** What became of asking one receiver. */
export interface Asked {
  readonly target: Target;
  /** The attempts that it has answered. */
  readonly made: readonly Delivery[];
  /** The one that it has not answered yet: it goes on. */
  readonly begun: { readonly event: PublishedEvent; readonly delivery: Promise<Delivery> } | null;
  /** Those that were not begun. */
  readonly left: readonly PublishedEvent[];
}

/** Asks nothing of a receiver for which earlier ones wait. */
export function askLater(target: Target, events: readonly PublishedEvent[]): Asked {
  return { target, made: [], begun: null, left: events };
}

/**
 * Makes the first attempts to deliver the events of a commit to one receiver, in their order, as long as it is patient.
 * @param nowMs on the merchant's clock
 */
export async function askFirst(
  target: Target,
  events: readonly PublishedEvent[],
  {
    poster,
    slots,
    nowMs,
    patienceMs,
  }: {
    readonly poster: Poster;
    readonly slots: Slots;
    readonly nowMs: number;
    readonly patienceMs: number;
  },
): Promise<Asked> {
  const made: Delivery[] = [];
  let begun: Asked['begun'] = null;
  let isOver = false;
  const asking = slots.run(async () => {
    for (const event of events) {
      if (isOver) {
        return;
      }
      begun = { event, delivery: deliver({ poster, target, event, attempt: 1, isRedelivery: false, nowMs }) };
      made.push(await begun.delivery);
      begun = null;
    }
  });
  const ending = new AbortController();
  const patience = sleep(patienceMs, undefined, { signal: ending.signal }).catch(() => undefined);
  await Promise.race([asking, patience]);
  ending.abort();
  isOver = true;
  const left = events.slice(made.length + (begun === null ? 0 : 1));
  return { target, made: [...made], begun, left };
}
