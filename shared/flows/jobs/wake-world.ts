import { LIVE_JOBS_DUE } from '../../contract/bus.ts';
import type { RunnerLimits } from '../../domain/run-counts.ts';
import { type World, worldNow } from '../../domain/world.ts';
import { readOutbox } from '../../store/events/outbox.ts';
import { isAnyDue } from '../../store/scheduler/due.ts';
import { isHeldBySomebody } from '../../store/scheduler/lease.ts';
import { dropLateNextRuns, setNextRun } from '../../store/scheduler/next-run.ts';
import { isQueue, jobPks, type Key, leaseKey, nextRunKey, outboxPks } from '../../store/table/keys.ts';
import { endMove } from '../../store/worlds/clock-move.ts';
import { findWorld } from '../../store/worlds/world.ts';
import { describeError, log } from '../../telemetry/log.ts';
import { readNextJobAt, readQueuePks } from '../dispatch/delivery-targets.ts';
import { endIfOver } from '../testkit/end-created-world.ts';
import { continueFork } from '../testkit/fork-world.ts';
import { announceDueQueues, announceDueWork } from './announce-due-work.ts';
import { runDueJobs } from './runs.ts';

/**
 * Runs the due jobs of some partitions of a world and dispatches their outbox entries. It leaves queued attempts to the
 * deliverer, the jobs of a live world to the live job runner, and the jobs of a world whose clock a request moves to
 * that request.
 * @param pks partitions of jobs and of the outbox; those of an ended epoch are left to its deletion, but for an entry of
 * the next run, which may come after it; null: all
 */
export async function wakeWorld(
  worldId: string,
  pks: ReadonlySet<string> | null,
  limits: RunnerLimits,
): Promise<void> {
  const deadlineMs = Date.now() + limits.timeMs;
  const found = await findWorld(worldId);
  await dropLateNextRuns(found, pks ?? []);
  if (found === null) {
    return;
  }
  const world = await endIfOver(found);
  if (world.forkSource !== null) {
    await continueFork(world, deadlineMs);
    return;
  }
  const isNamed = (pk: string) => pks === null || pks.has(pk);
  const isWoken = isNamed(nextRunKey(world).pk);
  const due = jobPks(world).filter((pk) => isWoken || isNamed(pk));
  const isLive = world.mode === 'live';
  const [entries, queues, isMoving] = await Promise.all([
    readOutbox(outboxPks(world).filter(isNamed), { onBroken: reportBroken, leavesHeld: true }),
    isWoken ? readQueuePks(world) : [...(pks ?? [])].filter(isQueue),
    due.length > 0 && !isLive && isHeldBySomebody(leaseKey(world)),
  ]);
  const untilMs = worldNow(world, Date.now());
  const run = { ...limits, jobPks: isMoving || isLive ? [] : due, entries, untilMs, deadlineMs };
  // The bus neither delays nor fails a job: the next tick of the clock emits the same events.
  const emissions = [
    announceDueQueues(world, queues),
    announceDueWork(LIVE_JOBS_DUE, isLive && due.length > 0 ? [{ worldId, pks: due }] : []),
  ].map((emission) =>
    emission.catch((error: unknown) =>
      log.warn('due work was not put on the bus', { error: describeError(error) }),
    ),
  );
  await Promise.all([runDueJobs(world, run), ...emissions]);
  if (isWoken && !isMoving) {
    await endMoveWhereDone(world);
  }
  const isMoved = world.clockOffsetMs !== 0;
  if (due.length > 0 && !isMoving && (isMoved || isWoken)) {
    // The times of jobs are right where no clock was moved: a copy is woken once.
    await setNextRun(world, isMoved ? await readNextJobAt(world) : null);
  }
}

/** Ends a move of the clock once its jobs have run: from then on, resources are shown as stored. */
export async function endMoveWhereDone(world: World): Promise<void> {
  if (world.movedToMs !== null && !(await isAnyDue(jobPks(world), world.movedToMs))) {
    await endMove(world);
  }
}

/** A broken entry stays in the outbox. It raises the age of the oldest due work, which an alarm watches. */
export function reportBroken({ sk }: Key, error: unknown): void {
  log.error('an entry of the outbox cannot be read', { entry: sk, error: describeError(error) });
}
