import type { World } from '../../domain/world.ts';
import { type Write, writeOne } from '../table/commit.ts';
import { BACKLOG_VERSION, BACKLOGGED_ENDPOINTS } from '../table/table.ts';
import { type StoredWorld, updateWorld } from './world.ts';

/*
 * The world names the endpoints for which first attempts are queued. Every runner reads the world before it sends
 * anything, so a later event of the same resource is queued after the earlier one.
 */

/** Marks endpoints, in the transaction that queues first attempts for them. */
export function markBacklogged(world: World, endpointIds: readonly string[]): Write {
  return updateWorld(
    world,
    `ADD ${BACKLOGGED_ENDPOINTS} :ids, ${BACKLOG_VERSION} :one`,
    'attribute_exists(pk)',
    {
      ':ids': new Set(endpointIds),
      ':one': 1,
    },
  );
}

/**
 * Clears the mark of an endpoint whose queue is empty.
 * @param world as it was before the queue was seen empty
 * @returns false where more was queued since
 */
export async function clearBacklog(world: StoredWorld, endpointId: string): Promise<boolean> {
  const values = { ':ids': new Set([endpointId]), ':read': world.backlogVersion };
  return writeOne(
    updateWorld(world, `DELETE ${BACKLOGGED_ENDPOINTS} :ids`, `${BACKLOG_VERSION} = :read`, values),
  );
}
