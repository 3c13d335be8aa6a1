import { newId } from '../../domain/id.ts';
import { deletedFromMs, type TestWorld } from '../../domain/testkit/created-world.ts';
import { hasEnded, type World, worldNow } from '../../domain/world.ts';
import { insertJob } from '../../store/scheduler/job.ts';
import { commit, writeOne } from '../../store/table/commit.ts';
import { endCreatedWorld, noteDeletion } from '../../store/testkit/created-worlds.ts';
import { readRest } from '../../store/testkit/purge.ts';
import { getWorld, type StoredWorld } from '../../store/worlds/world.ts';
import { queueDeletions } from './queue-deletions.ts';

/**
 * Ends the epoch of a created world whose time is over, unless its deletion has, and hands its items to jobs that delete
 * them. Every step can be repeated.
 * @returns the world as it is now
 */
export async function endIfOver(world: StoredWorld): Promise<StoredWorld> {
  const realNowMs = Date.now();
  if (!isCreated(world) || !hasEnded(world, realNowMs) || world.undeletedEpoch === 0) {
    return world;
  }
  const { expiresAtMs } = world.created;
  if (world.undeletedEpoch === null) {
    // A conflict means that the world was purged or ended since it was read: the next run sees that.
    await writeOne(endCreatedWorld(world, expiresAtMs));
    return endIfOver(await getWorld(world.id));
  }
  if (realNowMs < deletedFromMs(world, expiresAtMs)) {
    return world;
  }
  const { undeletedEpoch: epoch, counts, eventBlock } = world;
  const { endpointIds, unfinished } = await readRest({ ...world, epoch });
  const purge = { actionId: newId('act', realNowMs), epoch, counts, eventBlock, resetAtMs: expiresAtMs };
  const whole = { kind: 'delete-epoch', purge, endpointIds } as const;
  const dueAtMs = worldNow(world, realNowMs);
  const earlier = await queueDeletions(
    world,
    unfinished.map((job) => ({ ...job, dueAtMs })),
  );
  await commit([
    ...[whole, ...earlier].map((job) => insertJob(world, { ...job, dueAtMs })),
    noteDeletion(world, epoch),
  ]);
  return getWorld(world.id);
}

function isCreated(world: World): world is TestWorld {
  return world.created !== undefined;
}
