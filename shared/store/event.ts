import type { DomainEvent, EventType } from '../domain/event.ts';
import { newId } from '../domain/id.ts';
import type { Payment } from '../domain/payment.ts';
import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { insertJob } from './job.ts';

interface Resource {
  readonly id: string;
  readonly version: number;
  readonly status: NonNullable<DomainEvent['previousStatus']>;
  readonly updatedAtMs: number;
}

interface Cause {
  readonly world: World;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}

/**
 * Tells the world's consumers what happened: the event goes into the outbox, in the transaction of the change itself.
 * It gets its sequence number when it leaves the outbox, so that no refused commit can leave a gap (contract §10).
 * @param after the resource as it is now
 * @param object the whole resource as the API shows it
 * @param before the resource as it was, or null for a new one
 */
export function announce(
  cause: Cause,
  type: EventType,
  after: Resource,
  object: DomainEvent['object'],
  before: Pick<Resource, 'status'> | null,
): Change {
  return insertJob(cause.world, {
    kind: 'publish-event',
    dueAtMs: after.updatedAtMs,
    event: {
      id: newId('evt', after.updatedAtMs),
      type,
      resourceId: after.id,
      resourceVersion: after.version,
      occurredAtMs: after.updatedAtMs,
      previousStatus: before?.status ?? null,
      object,
      request: { id: cause.requestId, idempotencyKey: cause.idempotencyKey },
    },
  });
}

/** Tells of every state that a new payment went through at once. */
export function announcePayment(
  cause: Cause,
  steps: readonly Payment[],
  view: (step: Payment) => DomainEvent['object'],
): Change[] {
  return steps.map((step, place) =>
    announce(cause, `payment.${step.status}`, step, view(step), steps[place - 1] ?? null),
  );
}
