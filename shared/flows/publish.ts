import type { ToldBy } from '../contract/events.ts';
import { eventBody } from '../contract/events.ts';
import type { Target } from '../domain/delivery.ts';
import type { DomainEvent } from '../domain/event.ts';
import type { Job } from '../domain/job.ts';
import type { EventType } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import type { Write } from '../store/commit.ts';
import { insertJob, type WaitingJob } from '../store/job.ts';
import { insertPublishedEvent, takeSequences } from '../store/published-event.ts';

/** The type of the event's object follows from the event's type. */
type PublishJob = Extract<Job, { kind: 'publish-event' }> & {
  readonly event: DomainEvent<EventType, ToldBy<EventType>>;
};

type Receiver = Pick<Target, 'id'>;

/** DynamoDB's limit for one transaction. */
const TRANSACTION_CHANGES_MAX = 100;
/** Kept free for the sequence numbers and the runner's counts. */
const OTHER_CHANGES = 2;
/** For each event: the event, and the removal of its job. */
const CHANGES_PER_EVENT = 2;

/** How many events fit into one transaction: each event also queues a delivery for every target. */
export function publishableAtOnce(targets: readonly Receiver[]): number {
  return Math.floor((TRANSACTION_CHANGES_MAX - OTHER_CHANGES) / (CHANGES_PER_EVENT + targets.length));
}

/** Publishes the events of these jobs: gives them sequence numbers in this order and queues their deliveries. */
export function publish(
  world: World,
  targets: readonly Receiver[],
  jobs: readonly WaitingJob[],
  realNowMs: number,
): Write[] {
  return [
    takeSequences(world, jobs.length),
    ...jobs.flatMap(({ job }, place) => {
      const { event, dueAtMs } = job as PublishJob;
      const sequence = world.eventCount + place + 1;
      const { id, type, resourceId } = event;
      return [
        insertPublishedEvent(
          world,
          { id, type, resourceId, sequence, body: eventBody(world, event, sequence) },
          realNowMs,
        ),
        ...targets.map((target) =>
          insertJob(world, {
            kind: 'deliver-event',
            dueAtMs,
            eventId: id,
            resourceId,
            sinkId: target.id,
            attempt: 1,
            sequence,
          }),
        ),
      ];
    }),
  ];
}
