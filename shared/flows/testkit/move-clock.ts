import { SECOND_MS } from '../../domain/clock.ts';
import { newId } from '../../domain/id.ts';
import { CLOCK_OFFSET_MAX_MS, worldNow } from '../../domain/world.ts';
import { invalidFields, Problem } from '../../errors/problem.ts';
import { countOutbox, readOutbox } from '../../store/events/outbox.ts';
import type { SteppedClaim } from '../../store/requests/claim.ts';
import { countDueJobs, nextJobAt } from '../../store/scheduler/due.ts';
import { Leases } from '../../store/scheduler/lease.ts';
import { setNextRun } from '../../store/scheduler/next-run.ts';
import { jobPks, type Key, leaseKey, outboxPks } from '../../store/table/keys.ts';
import { countInMove, findMove, insertMove, readMoveCounts } from '../../store/testkit/clock-moves.ts';
import { getWorld, type StoredWorld } from '../../store/worlds/world.ts';
import { readJobPks, readQueuePks } from '../dispatch/delivery-targets.ts';
import { runMovedJobs } from '../jobs/runs.ts';
import { endMoveWhereDone, reportBroken } from '../jobs/wake-world.ts';

const JOBS_PER_MOVE_MAX = 10_000;
/** How soon after a crash the clock can be moved again. A running move renews its lease well before it ends. */
const LEASE_MS = 2_000;
/** Reserved for the steps after the jobs: the response must be committed before the function's time is over. */
const RESPONSE_RESERVE_MS = 5_000;

/** A request to move a clock. */
export interface MoveRequest {
  /** As the request read it. */
  readonly world: StoredWorld;
  readonly idempotencyKey: string;
  readonly seconds: number;
  readonly firstStep: SteppedClaim['firstStep'];
  readonly baseUrl: string;
  readonly remainingMs: number;
}

/**
 * Moves a clock once and runs the jobs that become due. Each step can be resumed: a retry with the same Idempotency-Key
 * finds the move stored, and the jobs that ran removed.
 * @returns the move, what it did, and the world with its clock moved
 * @throws Problem `clock_busy` while another move is under way
 * @throws Problem `temporarily_unavailable` while another move is under way and this one is already stored
 * @throws Problem `idempotency_key_reused` if the key belongs to another move, made before a purge
 * @throws Problem `validation_failed` if the clock would be more than two years ahead
 */
export async function moveClock(request: MoveRequest) {
  const { world: requested, idempotencyKey } = request;
  const previous = await findMove(requested.id, idempotencyKey);
  if (previous !== null && previous.seconds !== request.seconds) {
    throw new Problem('idempotency_key_reused');
  }
  if (previous !== null && previous.epoch !== requested.epoch) {
    // A purge has ended the rest of this move.
    const counts = await readMoveCounts({ id: requested.id, epoch: previous.epoch }, idempotencyKey);
    return { move: previous, counts, jobsRemaining: 0, world: requested };
  }
  const busy = previous === null ? 'clock_busy' : 'temporarily_unavailable';
  const { world, move } = await withLease(leaseKey(requested), busy, (isHeld) => moveAndRun(request, isHeld));
  // After the lease is released, since this wakes the runner, which left the jobs to this move.
  const pks = await readJobPks(world);
  await setNextRun(world, await nextJobAt(pks));
  const [counts, dueJobs, undispatched] = await Promise.all([
    readMoveCounts(world, idempotencyKey),
    countDueJobs(pks, move.toMs),
    countOutbox(world),
  ]);
  return { move, counts, jobsRemaining: dueJobs + undispatched, world };
}

/**
 * Runs a move under a lease. `isHeld` returns whether this move still holds the lease.
 * @throws Problem `busy` while another move holds the lease
 */
async function withLease<Done>(
  key: Key,
  busy: 'clock_busy' | 'temporarily_unavailable',
  work: (isHeld: () => Promise<boolean>) => Promise<Done>,
): Promise<Done> {
  const leases = new Leases(LEASE_MS);
  try {
    if (!(await leases.take(key, { mustExist: false }))) {
      throw new Problem(busy);
    }
    return await work(() => leases.isHeld(key)).finally(() => leases.release(key));
  } finally {
    leases.close();
  }
}

async function moveAndRun(request: MoveRequest, isHeld: () => Promise<boolean>) {
  const { idempotencyKey, baseUrl, remainingMs } = request;
  const deadlineMs = Date.now() + remainingMs - RESPONSE_RESERVE_MS;
  const moved = await moveOnce(request);
  const [entries, queuePks] = await Promise.all([
    readOutbox(outboxPks(moved.world), { onBroken: reportBroken }),
    readQueuePks(moved.world),
  ]);
  await runMovedJobs(moved.world, {
    jobPks: jobPks(moved.world),
    queuePks,
    entries,
    untilMs: moved.move.toMs,
    baseUrl,
    deadlineMs,
    mayStart: async (jobsRun) => jobsRun < JOBS_PER_MOVE_MAX && isHeld(),
    count: (counts, counter) => countInMove(moved.world, idempotencyKey, counts, counter),
  });
  await endMoveWhereDone(moved.world);
  return moved;
}

async function moveOnce({ world: requested, idempotencyKey, seconds, firstStep }: MoveRequest) {
  for (;;) {
    const [world, previous] = await Promise.all([
      getWorld(requested.id),
      findMove(requested.id, idempotencyKey),
    ]);
    if (world.epoch !== requested.epoch) {
      // A purge came in between: a retry claims its key in the new epoch.
      throw new Problem('temporarily_unavailable');
    }
    if (previous !== null) {
      return { world, move: previous };
    }
    const clockOffsetMs = world.clockOffsetMs + seconds * SECOND_MS;
    if (clockOffsetMs > CLOCK_OFFSET_MAX_MS) {
      const message = 'would move the clock more than two years ahead';
      throw invalidFields([{ code: 'max', field: 'seconds', message }]);
    }
    const { epoch } = world;
    const realNowMs = Date.now();
    const fromMs = worldNow(world, realNowMs);
    const toMs = fromMs + seconds * SECOND_MS;
    const move = { actionId: newId('act', fromMs), epoch, fromMs, toMs, seconds };
    const clockVersion = world.clockVersion + 1;
    const after = { ...world, clockOffsetMs, clockVersion, movedToMs: toMs };
    if (await firstStep(insertMove(world, idempotencyKey, move, realNowMs + LEASE_MS), after)) {
      return { world: after, move };
    }
  }
}
