import { SECOND_MS } from '../../domain/clock.ts';
import type { RunnerLimits } from '../../domain/run-counts.ts';
import { worldNow } from '../../domain/world.ts';
import { countDueJobs } from '../../store/scheduler/due.ts';
import { isHeldBySomebody, Leases } from '../../store/scheduler/lease.ts';
import { setNextRun } from '../../store/scheduler/next-run.ts';
import { takeRunnerSlot } from '../../store/scheduler/runner-slots.ts';
import { endpointOfQueue, type In, leaseKey, queueLeaseKey } from '../../store/table/keys.ts';
import { clearBacklog } from '../../store/worlds/backlog.ts';
import { findOpenWorld, findWorld, type StoredWorld } from '../../store/worlds/world.ts';
import { readNextJobAt } from '../dispatch/delivery-targets.ts';
import { announceDueQueues } from './announce-due-work.ts';
import type { QueuePace } from './queue-pace.ts';
import type { RunLimits } from './run-context.ts';
import { runQueuedAttempts } from './runs.ts';

/** How soon after a crash another runner continues. */
const LEASE_MS = 8 * SECOND_MS;

type QueueLimits = Omit<RunLimits, 'untilMs'>;

/**
 * Makes the due delivery attempts in these queues of a world until none is left. While a request moves the world's
 * clock, they are left to that request; while all slots of the merchant are taken, to the clock.
 * @param pks partitions of queued attempts; those of an ended epoch are left to its deletion
 */
export async function drainEndpointQueues(
  worldId: string,
  pks: readonly string[],
  limits: RunnerLimits,
): Promise<void> {
  const deadlineMs = Date.now() + limits.timeMs;
  const world = await findOpenWorld(worldId);
  const isOfWorld = (pk: string): pk is In<'QUEUE'> => world !== null && endpointOfQueue(world, pk) !== null;
  const queuePks = pks.filter(isOfWorld);
  if (world === null || queuePks.length === 0 || (await isHeldBySomebody(leaseKey(world)))) {
    return;
  }
  const left = await Promise.all(queuePks.map((pk) => drainQueue(world, pk, { ...limits, deadlineMs })));
  // Through the bus, so that other queues get their turn first.
  await announceDueQueues(
    world,
    queuePks.filter((_, nth) => left[nth]),
  );
  if (world.clockOffsetMs !== 0) {
    await setNextRun(world, await readNextJobAt(world));
  }
}

/**
 * Works on one queue, unless another runner does, or runners work on as many queues of the merchant as they may.
 * @returns whether due attempts are left that are worth another turn at once: not those of an endpoint that hangs
 */
async function drainQueue(world: StoredWorld, pk: In<'QUEUE'>, limits: QueueLimits): Promise<boolean> {
  const leases = new Leases(LEASE_MS);
  const key = queueLeaseKey(pk);
  try {
    const slot = (await isHeldBySomebody(key)) ? null : await takeRunnerSlot(world, leases);
    if (slot === null) {
      return false;
    }
    try {
      // Attempts may have been queued after the last read, while the lease still kept other runners away.
      for (;;) {
        if (!(await leases.take(key, { mustExist: false }))) {
          return false;
        }
        const { isHanging } = await drainOnce(world, pk, limits).finally(() => leases.release(key));
        const isLeft = !isHanging && (await countDueJobs([pk], worldNow(world, Date.now()))) > 0;
        if (!isLeft || Date.now() >= limits.deadlineMs) {
          return isLeft;
        }
      }
    } finally {
      await leases.release(slot);
    }
  } finally {
    leases.close();
  }
}

/** Makes the due attempts. The backlog of an endpoint that responds quickly ends once its queue is empty. */
async function drainOnce(world: StoredWorld, pk: In<'QUEUE'>, limits: QueueLimits): Promise<QueuePace> {
  const endpointId = String(endpointOfQueue(world, pk));
  // Read before the queue: clearing the backlog conflicts if an attempt was queued after this read.
  const current = await findWorld(world.id);
  const untilMs = worldNow(world, Date.now());
  const pace = await runQueuedAttempts(world, { ...limits, queuePk: pk, untilMs });
  const isEmpty = (await countDueJobs([pk], worldNow(world, Date.now()))) === 0;
  if (isEmpty && pace.isQuick && current?.backloggedEndpoints.has(endpointId)) {
    await clearBacklog(current, endpointId);
  }
  return pace;
}
