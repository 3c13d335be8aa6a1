import type { Delivery } from '../domain/delivery.ts';
import type { World } from '../domain/world.ts';
import type { Change } from '../store/commit.ts';
import { insertJob } from '../store/job.ts';

/** Queues one more delivery like one of before, due now and outside the schedule of attempts. */
export function redeliver(world: World, delivery: Delivery, nowMs: number): Change[] {
  const { eventId, sinkId, resourceId, sequence, attempt } = delivery;
  const isRedelivery = true;
  return [
    insertJob(world, {
      kind: 'deliver-event',
      dueAtMs: nowMs,
      eventId,
      sinkId,
      resourceId,
      sequence,
      attempt,
      isRedelivery,
    }),
  ];
}
