import { newId } from '../../domain/id.ts';
import { worldNow } from '../../domain/world.ts';
import type { SteppedClaim } from '../../store/requests/claim.ts';
import { countPurged, endEpoch, findPurge, type StoredPurge } from '../../store/testkit/purge.ts';
import { getWorld } from '../../store/worlds/world.ts';
import { queueDeletions } from './queue-deletions.ts';

type FirstStep = SteppedClaim['firstStep'];

/**
 * Empties a world: one write ends its epoch; then the items of that epoch are counted. A retry with the same
 * Idempotency-Key finds the epoch ended and counts again: the items are deleted only after the response is saved.
 * @returns the purge, what it emptied, the world in its new epoch, and the changes that delete the items
 */
export async function purgeWorld(worldId: string, idempotencyKey: string, firstStep: FirstStep) {
  const purge = await purgeOnce(worldId, idempotencyKey, firstStep);
  const world = await getWorld(worldId);
  const { content, endpointIds, unfinished } = await countPurged(world, purge);
  const dueAtMs = worldNow(world, Date.now());
  // All due now, since the purge sets the clock back. Deletions of earlier purges postpone themselves if too early.
  const earlier = await queueDeletions(
    world,
    unfinished.map((job) => ({ ...job, dueAtMs })),
  );
  const own = { kind: 'delete-epoch', purge, endpointIds, dueAtMs } as const;
  const changes = [own, ...earlier].map((job) => ({ kind: 'job', job }) as const);
  return { purge, content, world, changes };
}

async function purgeOnce(
  worldId: string,
  idempotencyKey: string,
  firstStep: FirstStep,
): Promise<StoredPurge> {
  for (;;) {
    const previous = await findPurge(worldId, idempotencyKey);
    if (previous !== null) {
      return previous;
    }
    const world = await getWorld(worldId);
    const { epoch, counts, eventBlock } = world;
    const resetAtMs = Date.now();
    const purge = { actionId: newId('act', resetAtMs), epoch, counts, eventBlock, resetAtMs };
    const after = { ...world, epoch: epoch + 1 };
    if (await firstStep(endEpoch(world, idempotencyKey, purge), after)) {
      return purge;
    }
  }
}
