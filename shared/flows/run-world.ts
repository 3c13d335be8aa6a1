import type { RunCounts } from '../domain/run-counts.ts';
import { type World, worldNow } from '../domain/world.ts';
import { nextJobAt } from '../store/scheduler/due.ts';
import { type Lease, takeLease } from '../store/scheduler/lease.ts';
import { setNextRun } from '../store/scheduler/next-run.ts';
import { findWorld } from '../store/world.ts';
import { type Run, runDueJobs } from './run-due-jobs.ts';

const JOBS_PER_RUN_MAX = 10_000;

/**
 * Runs the due jobs of a world, unless another runner holds its lease: that runner then looks again before it ends, so
 * that no new job is left behind.
 * @param baseUrl of this service, and so of its sinks
 * @param timeMs how long this may take, in real time
 * @param onDone called after every commit
 */
export async function runWorld(
  worldId: string,
  baseUrl: string,
  timeMs: number,
  onDone?: (counts: RunCounts) => void,
): Promise<void> {
  const deadlineMs = Date.now() + timeMs;
  let isLeft = true;
  while (isLeft && Date.now() < deadlineMs) {
    const world = await findWorld(worldId);
    const lease = world && (await takeLease(world, 'run'));
    if (world === null || lease === null || typeof lease === 'string') {
      return;
    }
    isLeft = await runUnder(lease, world, { baseUrl, deadlineMs, ...(onDone && { onDone }) });
  }
}

/** @returns whether due jobs may be left */
async function runUnder(
  lease: Lease,
  world: World,
  limits: Pick<Run, 'baseUrl' | 'deadlineMs' | 'onDone'>,
): Promise<boolean> {
  let isCutShort = false;
  let isTurnedAway = false;
  try {
    const untilMs = worldNow(world, Date.now());
    const run = { untilMs, ...limits, jobsMax: JOBS_PER_RUN_MAX, lease };
    ({ isCutShort } = await runDueJobs(world, run));
    if (world.clockOffsetMs !== 0) {
      await setNextRun(world, await nextJobAt(world));
    }
  } finally {
    isTurnedAway = await lease.release();
  }
  return isCutShort || isTurnedAway;
}
