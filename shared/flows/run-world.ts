import type { RunCounts } from '../domain/run-counts.ts';
import { worldNow } from '../domain/world.ts';
import { describeError, log } from '../http/log.ts';
import { isQueueOf, jobPks, type Key, leaseKey, nextRunKey, outboxPks } from '../store/keys.ts';
import { readOutbox } from '../store/outbox.ts';
import { nextJobAt } from '../store/scheduler/due.ts';
import { isHeldBySomebody } from '../store/scheduler/lease.ts';
import { setNextRun } from '../store/scheduler/next-run.ts';
import { findWorld } from '../store/world.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { readJobPks, readQueuePks } from './targets.ts';

/**
 * Runs the due jobs of some partitions of a world, and tells what its outbox holds there. While a request moves the
 * world's clock, the jobs are left to it.
 * @param pks partitions of jobs and of the outbox, of which those of an ended epoch are left to its deletion; null: all
 * @param baseUrl of this service, and so of its sinks
 * @param timeMs how long this may take, in real time
 * @param onDone called after every commit
 */
export async function runWorld(
  worldId: string,
  pks: ReadonlySet<string> | null,
  { baseUrl, timeMs, onDone }: { baseUrl: string; timeMs: number; onDone?: (counts: RunCounts) => void },
): Promise<void> {
  const deadlineMs = Date.now() + timeMs;
  const world = await findWorld(worldId);
  if (world === null) {
    return;
  }
  const isNamed = (pk: string) => pks === null || pks.has(pk);
  const isWoken = isNamed(nextRunKey(world).pk);
  const due = jobPks(world).filter((pk) => isWoken || isNamed(pk));
  const [entries, queues] = await Promise.all([
    readOutbox(outboxPks(world).filter(isNamed), { onBroken: reportBroken, leavesHeld: true }),
    isWoken ? readQueuePks(world) : [...(pks ?? [])].filter((pk) => isQueueOf(world, pk)),
  ]);
  const hasJobs = due.length > 0 || queues.length > 0;
  const isMoving = hasJobs && (await isHeldBySomebody(leaseKey(world)));
  const jobs = isMoving ? { jobPks: [], queuePks: [] } : { jobPks: due, queuePks: queues };
  await runDueJobs(world, {
    baseUrl,
    ...jobs,
    entries,
    untilMs: worldNow(world, Date.now()),
    deadlineMs,
    onDone,
  });
  if (hasJobs && !isMoving && world.clockOffsetMs !== 0) {
    await setNextRun(world, await nextJobAt(await readJobPks(world)));
  }
}

/** It stays where it is, and makes the oldest due work older and older, which an alarm watches. */
export function reportBroken({ sk }: Key, error: unknown): void {
  log.error('an entry of the outbox cannot be read', { entry: sk, error: describeError(error) });
}
