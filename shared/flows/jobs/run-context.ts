import { TaskGroup } from '../../concurrency/task-group.ts';
import { SECOND_MS } from '../../domain/clock.ts';
import type { RunnerLimits } from '../../domain/run-counts.ts';
import type { Whose } from '../../store/scheduler/due.ts';
import { Leases } from '../../store/scheduler/lease.ts';
import type { JobPk } from '../../store/table/keys.ts';
import type { StoredWorld } from '../../store/worlds/world.ts';
import { Poster } from '../../webhooks/poster.ts';
import { DueQueues } from './due-queue.ts';

/** How long a run that ends waits for its running tasks. */
const END_MS = SECOND_MS;
/** A live runner renews its lease well before it ends. When a crashed runner's lease ends, another takes over. */
const LEASE_MS = 8 * SECOND_MS;

/** What every run takes. */
export interface RunLimits extends Omit<RunnerLimits, 'timeMs'> {
  /** Runs the jobs that are due by then, on the merchant's clock. */
  readonly untilMs: number;
  /** Whose jobs it runs: all, unless this says otherwise. */
  readonly whose?: Whose;
  /** No job is started after this instant of real time. */
  readonly deadlineMs: number;
}

/** What the parts of one run share. */
export interface RunContext {
  readonly world: StoredWorld;
  readonly limits: RunLimits;
  readonly queues: DueQueues;
  readonly leases: Leases;
  readonly poster: Poster;
  /** Work in the background. */
  readonly tasks: TaskGroup;
  /** Aborted when the run ends: nothing more is started. */
  readonly signal: AbortSignal;
}

/**
 * Opens a run for `work`, and ends it: nothing more is started, and running tasks get a short time.
 * @param pks the partitions of each queue
 */
export async function withRunContext(
  world: StoredWorld,
  limits: RunLimits,
  pks: readonly (readonly JobPk[])[],
  work: (run: RunContext) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const run = {
    ...{ world, limits, signal: ending.signal },
    ...{ queues: new DueQueues(pks, limits.untilMs, limits.whose), leases: new Leases(LEASE_MS) },
    ...{ poster: new Poster(), tasks: new TaskGroup() },
  };
  try {
    await work(run);
  } finally {
    ending.abort();
    await run.tasks.end(Date.now() + END_MS);
    run.poster.close();
    run.leases.close();
  }
}
