import type { Write } from '../commit.ts';
import { insert, queryPartition, type StoredItem } from '../item.ts';
import { type Key, PARKED_PK, parkedKey } from '../keys.ts';

/** Stores a job that failed for good where operators find it: the job unchanged, and the reason. */
export function parkJob(item: StoredItem & Key, reason: string, realNowMs: number): Write {
  const { pk, sk, kind, worldId, job } = item;
  return insert({
    ...parkedKey(realNowMs, item),
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
