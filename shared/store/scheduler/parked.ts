import { OWN_JOBS } from '../../domain/job.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { queryIndex } from '../table/index-entries.ts';
import { insert, queryPartition, type StoredItem } from '../table/item.ts';
import { failedIndex, failedPk, type Key, PARKED_PK, parkedKey } from '../table/keys.ts';

const COUNTED_MAX = 1_000;

/** Stores a job that failed for good where operators find it: the job unchanged, and the reason. */
export function parkJob(item: StoredItem & Key, reason: string, realNowMs: number): Write {
  const { pk, sk, kind, worldId, job } = item;
  const key = parkedKey(realNowMs, item);
  return insert({
    ...key,
    // A merchant's clock counts the merchant's own.
    ...(!OWN_JOBS.some((own) => own === kind) && failedIndex(item, key)),
    parkedAtMs: realNowMs,
    from: { pk, sk },
    kind: kind ?? null,
    worldId: worldId ?? null,
    job: job ?? null,
    reason,
  });
}

/** The jobs that failed for good, oldest first. */
export function readParkedJobs(): Promise<StoredItem[]> {
  return queryPartition(PARKED_PK);
}

/** How many jobs of a world failed for good: 1,000 at most, for one read to count. */
export async function countParkedJobs(world: World): Promise<number> {
  const { entries } = await queryIndex({ index: 'related', pk: failedPk(world), limit: COUNTED_MAX });
  return entries.length;
}
