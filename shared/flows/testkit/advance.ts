import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../domain/id.ts';
import type { RunCounts } from '../../domain/run-counts.ts';
import { CLOCK_OFFSET_MAX_MS, type World, worldNow } from '../../domain/world.ts';
import { invalidFields, Problem } from '../../errors/problem.ts';
import { countDueJobs, nextJobAt } from '../../store/scheduler/due.ts';
import { type Lease, takeLease } from '../../store/scheduler/lease.ts';
import { setNextRun } from '../../store/scheduler/next-run.ts';
import {
  type Advance,
  countInAdvance,
  findAdvance,
  moveClock,
  readAdvanceCounts,
} from '../../store/testkit/advance.ts';
import { getWorld } from '../../store/world.ts';
import { type Run, runDueJobs } from '../run-due-jobs.ts';

const JOBS_PER_ADVANCE_MAX = 10_000;
/** A move waits this long for the runner, which ends soon, but not for another move. */
const LEASE_WAIT_MS = 5_000;
const LEASE_POLL_MS = 50;
/** Reserved for the steps after the jobs: the answer must be committed before the function's time is over. */
const ANSWER_RESERVE_MS = 5_000;

export interface AdvanceReport {
  readonly advance: Advance;
  readonly counts: RunCounts;
  readonly jobsRemaining: number;
  /** The world with its clock moved. */
  readonly world: World;
}

/**
 * Moves a clock once and runs the jobs that become due. Each step can be resumed: a retry with the same Idempotency-Key
 * finds the move stored, and the jobs that ran removed.
 * @throws Problem `clock_busy` while another move is under way
 * @throws Problem `validation_failed` where the clock would be more than two years ahead
 */
export async function advanceClock(
  worldId: string,
  idempotencyKey: string,
  seconds: number,
  { baseUrl, remainingMs }: { readonly baseUrl: string; readonly remainingMs: number },
): Promise<AdvanceReport> {
  const deadlineMs = Date.now() + remainingMs - ANSWER_RESERVE_MS;
  const lease = await takeLeaseForMove(worldId);
  const { world, advance } = await moveAndRun(worldId, idempotencyKey, seconds, {
    baseUrl,
    deadlineMs,
    lease,
  }).finally(lease.release);
  // After the release: this starts the runner again, which may have been turned away meanwhile.
  await setNextRun(world, await nextJobAt(world));
  const [counts, jobsRemaining] = await Promise.all([
    readAdvanceCounts(world, idempotencyKey),
    countDueJobs(world, advance.toMs),
  ]);
  return { advance, counts, jobsRemaining, world };
}

async function moveAndRun(
  worldId: string,
  idempotencyKey: string,
  seconds: number,
  limits: Pick<Run, 'baseUrl' | 'deadlineMs' | 'lease'>,
) {
  const moved = await moveOnce(worldId, idempotencyKey, seconds);
  await runDueJobs(moved.world, {
    untilMs: moved.advance.toMs,
    ...limits,
    jobsMax: JOBS_PER_ADVANCE_MAX,
    count: (counts, counter) => countInAdvance(moved.world, idempotencyKey, counts, counter),
  });
  return moved;
}

async function takeLeaseForMove(worldId: string): Promise<Lease> {
  const giveUpAtMs = Date.now() + LEASE_WAIT_MS;
  for (;;) {
    const lease = await takeLease(await getWorld(worldId), 'advance');
    if (typeof lease !== 'string') {
      return lease;
    }
    if (lease === 'advance' || Date.now() > giveUpAtMs) {
      throw new Problem('clock_busy');
    }
    await sleep(LEASE_POLL_MS);
  }
}

async function moveOnce(worldId: string, idempotencyKey: string, seconds: number) {
  for (;;) {
    const world = await getWorld(worldId);
    const made = await findAdvance(world, idempotencyKey);
    if (made !== null) {
      return { world, advance: made };
    }
    const clockOffsetMs = world.clockOffsetMs + seconds * 1_000;
    if (clockOffsetMs > CLOCK_OFFSET_MAX_MS) {
      const message = 'would move the clock more than two years ahead';
      throw invalidFields([{ code: 'max', field: 'seconds', message }]);
    }
    const fromMs = worldNow(world, Date.now());
    const advance = { actionId: newId('act', fromMs), fromMs, toMs: fromMs + seconds * 1_000, seconds };
    if (await moveClock(world, idempotencyKey, advance)) {
      return { world: { ...world, clockOffsetMs }, advance };
    }
  }
}
