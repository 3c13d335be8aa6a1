import type { DomainEvent, Step } from '../domain/event.ts';
import { newId } from '../domain/id.ts';
import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { insertJob } from './job.ts';

interface Resource {
  readonly id: string;
  readonly version: number;
  readonly updatedAtMs: number;
}

/** Who made it happen: a request, or a job of the world. */
export interface Cause {
  readonly world: World;
  readonly requestId?: string;
  readonly idempotencyKey?: string | null;
}

/**
 * Tells the world's consumers of every step: events go into the outbox, in the transaction of the change itself.
 * They get their sequence numbers when they leave it, so that no refused commit can leave a gap (contract §10).
 * @param view the whole resource as the API shows it
 */
export function announce<Entity extends Resource>(
  { world, requestId = undefined, idempotencyKey = null }: Cause,
  steps: readonly Step<Entity>[],
  view: (world: World, after: Entity) => DomainEvent['object'],
): Change[] {
  return steps.map(({ event: type, previousStatus, after }) =>
    insertJob(world, {
      kind: 'publish-event',
      dueAtMs: after.updatedAtMs,
      event: {
        id: newId('evt', after.updatedAtMs),
        type,
        resourceId: after.id,
        resourceVersion: after.version,
        occurredAtMs: after.updatedAtMs,
        previousStatus,
        object: view(world, after),
        request: { id: requestId ?? null, idempotencyKey },
      },
    }),
  );
}
