import type { Semaphore } from '../../concurrency/semaphore.ts';
import type { Delivery, DeliveryTarget } from '../../domain/delivery.ts';
import { disabledBy } from '../../domain/endpoint.ts';
import type { PublishedEvent } from '../../domain/published-event.ts';
import type { World } from '../../domain/world.ts';
import type { Poster } from '../../webhooks/poster.ts';
import { deliverEvent } from './deliver-event.ts';
import { SlowShare } from './slow-share.ts';

/** How long, in real time, a runner that dispatches to several endpoints waits for one of them. */
export const PATIENCE_MS = 500;

/** The result of the first attempts at one endpoint. */
export interface AttemptOutcome {
  readonly target: DeliveryTarget;
  /** The attempts that have a result: a response, or a failure before the time ran out. */
  readonly attempts: readonly Delivery[];
  /** The events left to the deliverer, which waits longer. */
  readonly queued: readonly PublishedEvent[];
}

export interface AttemptOptions {
  readonly poster: Poster;
  /**
   * How long one endpoint may keep the others waiting, for all events together, in milliseconds of real time. A sink,
   * which is this service itself, gets the full time of each attempt.
   */
  readonly patienceMs?: number;
}

/**
 * Makes the first attempts to deliver the events of a commit to one endpoint, in order. An attempt that `patienceMs`
 * cuts off does not count and is made again, so an endpoint that has just become slow may get an event twice. So is one
 * that is slow while the merchant's share of slow attempts is used up.
 * @param nowMs on the merchant's clock
 */
export async function attemptDelivery(
  world: World,
  target: DeliveryTarget,
  events: readonly PublishedEvent[],
  { poster, patienceMs = PATIENCE_MS }: AttemptOptions,
  semaphore: Semaphore,
  nowMs: number,
): Promise<AttemptOutcome> {
  const isPatient = target.reach === 'own';
  const endsAt = performance.now() + patienceMs;
  const attempts: Delivery[] = [];
  const share = new SlowShare(world);
  let isGone = false;
  await semaphore.run(async () => {
    for (const event of events) {
      const timeoutMs = Math.ceil(endsAt - performance.now());
      if (!isPatient && timeoutMs <= 0) {
        return;
      }
      const attempt = { poster, target, event, attempt: 1, isRedelivery: false, nowMs };
      const delivery = await (isPatient
        ? deliverEvent(attempt)
        : share.during((signal) => deliverEvent({ ...attempt, timeoutMs, signal })));
      const isCutOff = share.isUsedUp || Number(delivery.durationMs) >= timeoutMs - 1;
      if (!isPatient && delivery.status !== 'delivered' && isCutOff) {
        return;
      }
      attempts.push(delivery);
      if (disabledBy(target.endpoint, delivery) === 'gone') {
        isGone = true;
        return;
      }
    }
  });
  // An endpoint that responded with 410 Gone gets no further events.
  return { target, attempts, queued: isGone ? [] : events.slice(attempts.length) };
}
