import { newId } from '../../domain/id.ts';
import type { RunCounts } from '../../domain/run-counts.ts';
import { CLOCK_OFFSET_MAX_MS, type World, worldNow } from '../../domain/world.ts';
import { invalidFields, Problem } from '../../errors/problem.ts';
import { jobPks, type Key, leaseKey, outboxPks } from '../../store/keys.ts';
import { countOutbox, readOutbox } from '../../store/outbox.ts';
import { countDueJobs, nextJobAt } from '../../store/scheduler/due.ts';
import { Leases } from '../../store/scheduler/lease.ts';
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
import { reportBroken } from '../run-world.ts';
import { readJobPks, readQueuePks } from '../targets.ts';

const JOBS_PER_ADVANCE_MAX = 10_000;
/** How soon after a crash the clock can be moved again. A living move renews its lease well before it ends. */
const LEASE_MS = 2_000;
/** How long a move waits for receivers after its last job (contract §11). */
const RECEIVERS_WAIT_MS = 10_000;
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
  const { world, advance } = await holding(leaseKey(await getWorld(worldId)), (isHeld) =>
    moveAndRun(worldId, idempotencyKey, seconds, { baseUrl, deadlineMs, isHeld }),
  );
  // After the lease: this wakes the runner, which has left the jobs to this move.
  const pks = await readJobPks(world);
  await setNextRun(world, await nextJobAt(pks));
  const [counts, dueJobs, untold] = await Promise.all([
    readAdvanceCounts(world, idempotencyKey),
    countDueJobs(pks, advance.toMs),
    countOutbox(world),
  ]);
  return { advance, counts, jobsRemaining: dueJobs + untold, world };
}

/**
 * @param isHeld tells whether the lease is still this move's
 * @throws Problem `clock_busy` while another move holds it
 */
async function holding<Done>(
  key: Key,
  move: (isHeld: () => Promise<boolean>) => Promise<Done>,
): Promise<Done> {
  const leases = new Leases(LEASE_MS);
  try {
    if (!(await leases.take(key, { mustExist: false }))) {
      throw new Problem('clock_busy');
    }
    return await move(() => leases.isHeld(key)).finally(() => leases.release(key));
  } finally {
    leases.close();
  }
}

async function moveAndRun(
  worldId: string,
  idempotencyKey: string,
  seconds: number,
  limits: Pick<Run, 'baseUrl' | 'deadlineMs' | 'isHeld'>,
) {
  const moved = await moveOnce(worldId, idempotencyKey, seconds);
  const [entries, queuePks] = await Promise.all([
    readOutbox(outboxPks(moved.world), { onBroken: reportBroken }),
    readQueuePks(moved.world),
  ]);
  await runDueJobs(moved.world, {
    jobPks: jobPks(moved.world),
    queuePks,
    entries,
    untilMs: moved.advance.toMs,
    ...limits,
    receiversWaitMs: RECEIVERS_WAIT_MS,
    isExhaustive: true,
    jobsMax: JOBS_PER_ADVANCE_MAX,
    count: (counts, counter) => countInAdvance(moved.world, idempotencyKey, counts, counter),
  });
  return moved;
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
