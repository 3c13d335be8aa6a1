import { setTimeout as sleep } from 'node:timers/promises';
import type { RunCounts } from '../domain/run-counts.ts';
import { type World, worldNow } from '../domain/world.ts';
import { endBehind } from '../store/behind.ts';
import { leaseKey, receiverOfQueue } from '../store/keys.ts';
import { countDueJobs, nextJobAt } from '../store/scheduler/due.ts';
import { isHeldBySomebody } from '../store/scheduler/lease.ts';
import { setNextRun } from '../store/scheduler/next-run.ts';
import { findWorld } from '../store/world.ts';
import { announceQueues } from './announce.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { readJobPks } from './targets.ts';

/** Between two looks at what somebody else holds. */
const LOOK_AGAIN_MS = 200;

interface Limits {
  /** The base URL of this service, and so of its sinks. */
  readonly baseUrl: string;
  /** How long this may take, in real time. */
  readonly timeMs: number;
  /** Called after every commit. */
  readonly onDone?: (counts: RunCounts) => void;
}

/**
 * Makes the attempts that wait for receivers of a world and are due, until none does. While a request moves the world's
 * clock, they are left to it.
 * @param pks partitions of waiting attempts, of which those of an ended epoch are left to its deletion
 */
export async function runQueues(worldId: string, pks: readonly string[], limits: Limits): Promise<void> {
  const deadlineMs = Date.now() + limits.timeMs;
  const world = await findWorld(worldId);
  const queuePks = world === null ? [] : pks.filter((pk) => receiverOfQueue(world, pk) !== null);
  if (world === null || queuePks.length === 0 || (await isHeldBySomebody(leaseKey(world)))) {
    return;
  }
  const left = await Promise.all(queuePks.map((pk) => runQueue(world, pk, { ...limits, deadlineMs })));
  // Others have their turn before it.
  await announceQueues(
    worldId,
    queuePks.filter((_, nth) => left[nth]),
  );
  if (world.clockOffsetMs !== 0) {
    await setNextRun(world, await nextJobAt(await readJobPks(world)));
  }
}

/** @returns whether something is left that is due */
async function runQueue(
  world: World,
  pk: string,
  { baseUrl, deadlineMs, onDone }: Omit<Limits, 'timeMs'> & { readonly deadlineMs: number },
): Promise<boolean> {
  const receiverId = String(receiverOfQueue(world, pk));
  for (;;) {
    const untilMs = worldNow(world, Date.now());
    await runDueJobs(world, {
      baseUrl,
      jobPks: [],
      queuePks: [pk],
      entries: [],
      untilMs,
      deadlineMs,
      onDone,
    });
    // Before the look at what is left: what is left to wait after that is noticed.
    const current = await findWorld(world.id);
    if (current?.epoch !== world.epoch || !current.behind.has(receiverId)) {
      return false;
    }
    const isLeft = (await countDueJobs([pk], worldNow(world, Date.now()))) > 0;
    if (!isLeft && (await endBehind(current, receiverId))) {
      return false;
    }
    if (Date.now() >= deadlineMs) {
      return true;
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
