import { newId } from '../domain/id.ts';
import { worldNow } from '../domain/world.ts';
import { countDueJobs, nextJobAt } from '../store/due-jobs.ts';
import { takeLease } from '../store/lease.ts';
import { wakeAt } from '../store/wake.ts';
import { findWorld } from '../store/world.ts';
import { runDueJobs } from './run-due-jobs.ts';

const JOBS_PER_RUN_MAX = 10_000;

/**
 * Runs what is due in a world now, unless somebody else does already; whoever does looks once more before leaving, so
 * that what comes in the meantime is not left behind.
 * @param timeMs how long it may take, in real time
 */
export async function runWorld(worldId: string, timeMs: number): Promise<void> {
  const owner = newId('act', Date.now());
  const deadlineMs = Date.now() + timeMs;
  while (Date.now() < deadlineMs) {
    const world = await findWorld(worldId);
    const lease = world && (await takeLease(world, owner, 'run', deadlineMs - Date.now()));
    if (world === null || lease === null || typeof lease === 'string') {
      return;
    }
    try {
      await runDueJobs(world, {
        untilMs: worldNow(world, Date.now()),
        deadlineMs,
        jobsMax: JOBS_PER_RUN_MAX,
      });
      if (world.clockOffsetMs !== 0) {
        await wakeAt(world, await nextJobAt(world));
      }
    } finally {
      await lease.release();
    }
    if ((await countDueJobs(world, worldNow(world, Date.now()))) === 0) {
      return;
    }
  }
}
