import type { Delivery, DeliveryTarget } from '../../domain/delivery.ts';
import { disabledBy } from '../../domain/endpoint.ts';
import type { PublishedEvent } from '../../domain/published-event.ts';
import type { Semaphore } from '../../store/semaphore.ts';
import type { Poster } from '../../webhooks/poster.ts';
import { deliverEvent } from './deliver-event.ts';

/** How long, in real time, those who tell others too wait for one receiver. */
export const PATIENCE_MS = 500;

/** What became of asking one receiver. */
export interface AttemptOutcome {
  readonly target: DeliveryTarget;
  /** The attempts that it has answered, or refused. */
  readonly attempts: readonly Delivery[];
  /** Those that wait for the deliverer, which is more patient. */
  readonly queued: readonly PublishedEvent[];
}

/** Asks nothing of a receiver for which earlier ones wait. */
export function queueDelivery(target: DeliveryTarget, events: readonly PublishedEvent[]): AttemptOutcome {
  return { target, attempts: [], queued: events };
}

/**
 * Makes the first attempts to deliver the events of a commit to one receiver, in their order. One that is cut off since
 * patience is over does not count: it is made again, so a receiver that has just become slow may get an event twice.
 * @param nowMs on the merchant's clock
 * @param patienceMs in all; sinks, which are the service itself, are waited for as long as any attempt may take
 */
export async function attemptDelivery(
  target: DeliveryTarget,
  events: readonly PublishedEvent[],
  {
    poster,
    semaphore,
    nowMs,
    patienceMs,
  }: {
    readonly poster: Poster;
    readonly semaphore: Semaphore;
    readonly nowMs: number;
    readonly patienceMs: number;
  },
): Promise<AttemptOutcome> {
  const isPatient = target.reach === 'own';
  const endsAt = performance.now() + patienceMs;
  const attempts: Delivery[] = [];
  let isGone = false;
  await semaphore.run(async () => {
    for (const event of events) {
      const timeoutMs = Math.ceil(endsAt - performance.now());
      if (!isPatient && timeoutMs <= 0) {
        return;
      }
      const limit = isPatient ? {} : { timeoutMs };
      const attempt = { poster, target, event, attempt: 1, isRedelivery: false, nowMs, ...limit };
      const delivery = await deliverEvent(attempt);
      if (!isPatient && delivery.status !== 'delivered' && Number(delivery.durationMs) >= timeoutMs - 1) {
        return;
      }
      attempts.push(delivery);
      if (disabledBy(target.endpoint, delivery) === 'gone') {
        isGone = true;
        return;
      }
    }
  });
  // Whoever wants nothing more gets nothing more.
  return { target, attempts, queued: isGone ? [] : events.slice(attempts.length) };
}
