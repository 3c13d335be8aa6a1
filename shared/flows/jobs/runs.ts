import { SECOND_MS } from '../../domain/clock.ts';
import type { RunCounts } from '../../domain/run-counts.ts';
import { worldNow } from '../../domain/world.ts';
import type { OutboxEntry } from '../../store/events/outbox.ts';
import type { In } from '../../store/table/keys.ts';
import type { StoredWorld } from '../../store/worlds/world.ts';
import { Dispatcher, type DispatchOptions } from '../dispatch/dispatcher.ts';
import { BatchLoop } from './batch-loop.ts';
import { BATCH_MAX, type JobAttemptOptions, JobAttempts } from './job-attempts.ts';
import { QueuePace } from './queue-pace.ts';
import { type RunContext, type RunLimits, withRunContext } from './run-context.ts';

/** Attempts that become due while an endpoint is slow are started too, if it has a free slot. */
const REFRESH_MS = SECOND_MS;
/** How long a move of the clock waits for endpoints after its last job (contract §11). */
const ENDPOINTS_WAIT_MS = 10_000;

interface LiveJobs extends RunLimits {
  /** Partitions of the jobs to run; none if another runner runs them. */
  readonly jobPks: readonly In<'JOBS'>[];
}

interface WorldJobs extends LiveJobs {
  /** The outbox entries to dispatch, with those that the jobs write. */
  readonly entries: readonly OutboxEntry[];
}

/**
 * Runs due jobs of a world and the jobs that they cause, in due order, each as of its own due time. Meanwhile it
 * dispatches the outbox entries that these jobs and others wrote. A job is removed in the transaction of its effect, so
 * a run that crashes, or that runs beside another, repeats nothing. A failing job is retried later and finally parked.
 * Neither a failing job nor a slow endpoint stops the other jobs.
 * @throws the store's error if the store fails temporarily (`isTemporary`)
 */
export function runDueJobs(world: StoredWorld, { jobPks, entries, ...limits }: WorldJobs): Promise<void> {
  return withRunContext(world, limits, [jobPks], async (run) => {
    const dispatch = dispatchIn(run, entries);
    await runAll(new BatchLoop(run, new JobAttempts(run, { dispatch })));
  });
}

/** Runs due jobs as `runDueJobs` does, and leaves the entries that they write to another runner. */
export function runLiveDueJobs(world: StoredWorld, { jobPks, ...limits }: LiveJobs): Promise<void> {
  return withRunContext(world, limits, [jobPks], (run) => runAll(new BatchLoop(run, new JobAttempts(run))));
}

interface QueuedAttempts extends RunLimits {
  /** The partition of the queued delivery attempts to make. */
  readonly queuePk: In<'QUEUE'>;
}

/**
 * Makes the queued attempts of an endpoint that are due, as `runDueJobs` runs jobs, until it hangs. Another runner
 * dispatches all entries.
 * @returns how the endpoint responded
 */
export async function runQueuedAttempts(
  world: StoredWorld,
  { queuePk, ...limits }: QueuedAttempts,
): Promise<QueuePace> {
  const pace = new QueuePace();
  await withRunContext(world, limits, [[queuePk]], async (run) => {
    const runner = new JobAttempts(run, { onAttempt: (delivery) => pace.note(delivery) });
    const loop = new BatchLoop(run, runner, { pace });
    let lookAtMs = Date.now() + REFRESH_MS;
    do {
      if (Date.now() >= lookAtMs) {
        run.queues.refresh(worldNow(world, Date.now()));
        lookAtMs = Date.now() + REFRESH_MS;
      }
      if (!pace.isHanging) {
        await loop.runDue();
      }
    } while (await loop.progress(lookAtMs));
  });
  return pace;
}

interface MovedJobs extends WorldJobs, Pick<JobAttemptOptions, 'count'> {
  readonly queuePks: readonly In<'QUEUE'>[];
  /** Whether a further job may be started, after so many. */
  readonly mayStart?: (jobsRun: number) => Promise<boolean>;
}

/**
 * Runs what a move of the clock makes due, as `runDueJobs` does, queued attempts included. It ends only after a read
 * that finds nothing due, and it waits for the entries and jobs that other runners hold. The service's own jobs are left
 * to another runner.
 */
export function runMovedJobs(
  world: StoredWorld,
  { jobPks, queuePks, entries, count, mayStart, ...limits }: MovedJobs,
): Promise<void> {
  let jobsRun = 0;
  const onDone = (counts: RunCounts) => {
    jobsRun += counts.jobsRun;
    limits.onDone?.(counts);
  };
  const pks = [jobPks, ...eachAlone(queuePks)];
  return withRunContext(world, { ...limits, onDone, whose: 'merchant' }, pks, async (run) => {
    const dispatch = dispatchIn(run, entries, {
      waitsForOthers: true,
      count: count && ((counts) => count(counts, BATCH_MAX)),
    });
    const loop = new BatchLoop(run, new JobAttempts(run, { dispatch, count }), {
      waitsForOthers: true,
      mayStart: mayStart && (() => mayStart(jobsRun)),
    });
    let waitUntilMs: number | undefined;
    do {
      do {
        await loop.runDue();
        waitUntilMs ??= run.tasks.isEmpty ? undefined : Date.now() + ENDPOINTS_WAIT_MS;
      } while ((await loop.progress(waitUntilMs)) && Date.now() < Number(waitUntilMs));
      run.queues.refresh();
    } while (await loop.runNext());
  });
}

async function runAll(loop: BatchLoop): Promise<void> {
  do {
    await loop.runDue();
  } while (await loop.progress());
}

/** Dispatches entries in the background. @returns a function that dispatches the entries that jobs wrote */
function dispatchIn(
  run: RunContext,
  entries: readonly OutboxEntry[],
  options: Pick<DispatchOptions, 'waitsForOthers' | 'count'> = {},
): (written: readonly OutboxEntry[]) => Promise<void> {
  const { world, limits, queues, leases, poster, tasks, signal } = run;
  const { baseUrl, deadlineMs, onDone } = limits;
  const dispatcher = new Dispatcher(world, {
    ...{ ...options, baseUrl, deadlineMs, onDone, leases, poster, tasks, signal },
    onJobs: (jobs) => queues.add(jobs),
  });
  queues.leaveOut(entries);
  dispatcher.add(entries);
  return (written) => dispatcher.dispatch(written);
}

function eachAlone<Pk>(pks: readonly Pk[]): Pk[][] {
  return pks.map((pk) => [pk]);
}
