import { insertJob } from '../../store/scheduler/job.ts';
import { commit } from '../../store/table/commit.ts';
import type { DeleteEpoch } from '../../store/testkit/purge.ts';
import type { StoredWorld } from '../../store/worlds/world.ts';

/** How many deletions one transaction queues beside its other writes: DynamoDB allows 100. */
const QUEUED_AT_ONCE = 50;

/**
 * Queues deletions of ended epochs ahead of a transaction that has no room for all of them: each waits for minutes, so a
 * suite that purges before every test has hundreds. One that is queued twice does no more than one.
 * @returns those that are left for the transaction
 */
export async function queueDeletions(
  world: StoredWorld,
  deletions: readonly DeleteEpoch[],
): Promise<readonly DeleteEpoch[]> {
  let left = deletions;
  while (left.length > QUEUED_AT_ONCE) {
    await commit(left.slice(0, QUEUED_AT_ONCE).map((job) => insertJob(world, job)));
    left = left.slice(QUEUED_AT_ONCE);
  }
  return left;
}
