import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { JobKind } from '../../domain/job.ts';
import type { WaitingJob } from '../../store/scheduler/job.ts';
import { getItem } from '../../store/table/item.ts';
import type { QueuePace } from './queue-pace.ts';
import type { RunContext } from './run-context.ts';

/** Long jobs run in the background, a few of each partition at the same time, each under a lease of one runner. */
export const IN_BACKGROUND: ReadonlySet<JobKind> = new Set(['deliver-event', 'delete-epoch']);
const BACKGROUND_JOBS_MAX = 16;
/** How often a job that another runner holds is checked again. */
const HELD_POLL_MS = 200;

interface BackgroundJobOptions {
  /** Whether it waits for the jobs that other runners hold. */
  readonly waitsForOthers?: true;
  /** The pace of the attempts of one queue; by default, `BACKGROUND_JOBS_MAX` at the same time. */
  readonly pace?: QueuePace | undefined;
  /** Runs a job under its lease. */
  readonly attempt: (waiting: WaitingJob) => Promise<void>;
}

/** Runs long jobs in the background of a run. */
export class BackgroundJobs {
  readonly #run: RunContext;
  readonly #options: BackgroundJobOptions;
  readonly #semaphores = new Map<string, Semaphore>();
  /** By endpoint and resource: the end of the first attempts so far. */
  readonly #lanes = new Map<string, Promise<void>>();

  constructor(run: RunContext, options: BackgroundJobOptions) {
    this.#run = run;
    this.#options = options;
  }

  start(waiting: WaitingJob): void {
    const { job, key } = waiting;
    const { tasks } = this.#run;
    if (job.kind !== 'deliver-event' || job.attempt > 1) {
      tasks.add(this.#options.waitsForOthers ? this.#runUntilDone(waiting) : this.#tryOne(waiting));
      return;
    }
    // Across runners, first attempts keep the order of the events of a resource, and recovered events the order of all
    // events.
    const lane = `${key.pk} ${job.recoveredAtMs === undefined ? job.resourceId : 'recovered'}`;
    const work = Promise.resolve(this.#lanes.get(lane)).then(() => this.#runUntilDone(waiting));
    this.#lanes.set(lane, work);
    tasks.add(work);
  }

  /** Runs a job, or waits until the runner that holds it has finished it. */
  async #runUntilDone(waiting: WaitingJob): Promise<void> {
    while (Date.now() < this.#run.limits.deadlineMs) {
      if ((await this.#tryOne(waiting)) || (await getItem(waiting.key)) === undefined) {
        return;
      }
      await sleep(HELD_POLL_MS);
    }
  }

  /** @returns false if another runner holds it or has finished it */
  #tryOne(waiting: WaitingJob): Promise<boolean> {
    const { pace } = this.#options;
    const run = () => this.#runUnderLease(waiting);
    return this.#semaphoreOf(waiting.key.pk).run(() => (pace === undefined ? run() : pace.run(run)));
  }

  async #runUnderLease(waiting: WaitingJob): Promise<boolean> {
    const { key } = waiting;
    const { leases } = this.#run;
    const isTaken = await leases.take(key, { mustExist: true });
    if (isTaken) {
      await this.#options.attempt(waiting);
      leases.drop(key);
    }
    return isTaken;
  }

  #semaphoreOf(pk: string): Semaphore {
    const semaphore = this.#semaphores.get(pk) ?? new Semaphore(BACKGROUND_JOBS_MAX);
    this.#semaphores.set(pk, semaphore);
    return semaphore;
  }
}
