import type { RunCounts } from '../domain/run-counts.ts';
import { worldNow } from '../domain/world.ts';
import { describeError, log } from '../http/log.ts';
import { isQueue, jobPks, type Key, leaseKey, nextRunKey, outboxPks } from '../store/keys.ts';
import { readOutbox } from '../store/outbox.ts';
import { nextJobAt } from '../store/scheduler/due.ts';
import { isHeldBySomebody } from '../store/scheduler/lease.ts';
import { setNextRun } from '../store/scheduler/next-run.ts';
import { findWorld } from '../store/world.ts';
import { announceQueues } from './announce.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { readJobPks, readQueuePks } from './targets.ts';

/**
 * Runs the due jobs of some partitions of a world, tells what its outbox holds there, and leaves what waits for a receiver
 * to the deliverer. While a request moves the world's clock, the jobs are left to it.
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
  const [entries, queues, isMoving] = await Promise.all([
    readOutbox(outboxPks(world).filter(isNamed), { onBroken: reportBroken, leavesHeld: true }),
    isWoken ? readQueuePks(world) : [...(pks ?? [])].filter(isQueue),
    due.length > 0 && isHeldBySomebody(leaseKey(world)),
  ]);
  const untilMs = worldNow(world, Date.now());
  const run = { baseUrl, jobPks: isMoving ? [] : due, entries, untilMs, deadlineMs, onDone };
  // No bus delays or fails a job: the clock announces again.
  const announced = announceQueues(worldId, queues).catch((error: unknown) =>
    log.warn('waiting attempts were not announced', { error: describeError(error) }),
  );
  await Promise.all([runDueJobs(world, run), announced]);
  if (due.length > 0 && !isMoving && world.clockOffsetMs !== 0) {
    await setNextRun(world, await nextJobAt(await readJobPks(world)));
  }
}

/** It stays where it is, and makes the oldest due work older and older, which an alarm watches. */
export function reportBroken({ sk }: Key, error: unknown): void {
  log.error('an entry of the outbox cannot be read', { entry: sk, error: describeError(error) });
}
