import { chunksOf } from '../../concurrency/chunks-of.ts';
import { SECOND_MS } from '../../domain/clock.ts';
import { type Job, subjectOf } from '../../domain/job.ts';
import type { World } from '../../domain/world.ts';
import type { WaitingJob } from '../../store/scheduler/job.ts';
import { BackgroundJobs, IN_BACKGROUND } from './background-jobs.ts';
import type { DueQueue } from './due-queue.ts';
import { BATCH_MAX, type JobAttempts } from './job-attempts.ts';
import { isSmall, type SmallJob } from './job-effects.ts';
import type { QueuePace } from './queue-pace.ts';
import type { RunContext } from './run-context.ts';

/** Shorter than the shortest time until a job's follow-up is due, so that a batch never overtakes a follow-up. */
const BATCH_MS = 1_000;

/**
 * Small jobs are committed together, with up to four writes each, and one for their counts. Twice as many would still fit
 * into a transaction and save nothing more, and another request could wait twice as long for it.
 */
const TOGETHER_MAX = 12;
/** While the store writes one transaction, the next is decided. */
const TRANSACTIONS_AT_ONCE = 2;
/** They cause no job: only a second attempt at a webhook could be overtaken, which is due five seconds later. */
const TOGETHER_MS = 4 * SECOND_MS;

interface BatchLoopOptions {
  /** Whether it waits for the jobs that other runners hold. */
  readonly waitsForOthers?: true;
  readonly pace?: QueuePace;
  /** Whether a further job may be started. */
  readonly mayStart?: (() => Promise<boolean>) | undefined;
}

/** Takes the due jobs of a run in due order, a batch at a time, and starts the long ones in the background. */
export class BatchLoop {
  readonly #run: RunContext;
  readonly #jobs: JobAttempts;
  readonly #background: BackgroundJobs;
  readonly #options: BatchLoopOptions;
  #isOver = false;

  constructor(run: RunContext, jobs: JobAttempts, options: BatchLoopOptions = {}) {
    this.#run = run;
    this.#jobs = jobs;
    this.#background = new BackgroundJobs(run, {
      ...options,
      attempt: (waiting) => jobs.run(waiting, BATCH_MAX + 1),
    });
    this.#options = options;
  }

  /** Runs jobs until none is due, or none may be started. */
  async runDue(): Promise<void> {
    while (await this.runNext()) {}
  }

  /** @returns false where none is due, or none may be started */
  async runNext(): Promise<boolean> {
    const { queues, limits } = this.#run;
    const next = this.#isOver ? undefined : await queues.next((item, error) => this.#jobs.park(item, error));
    if (next === undefined) {
      return false;
    }
    this.#isOver = Date.now() >= limits.deadlineMs || (await this.#options.mayStart?.()) === false;
    if (!this.#isOver) {
      await this.#runBatch(next);
    }
    return !this.#isOver;
  }

  /** Waits for a task in the background, at most until an instant. @returns false if there is none, or no time left */
  async progress(untilMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { queues, limits, tasks } = this.#run;
    if (this.#isOver) {
      return false;
    }
    if (tasks.isEmpty || Date.now() >= limits.deadlineMs) {
      tasks.check();
      return false;
    }
    await tasks.progress(Math.min(untilMs, limits.deadlineMs));
    queues.readOn();
    return true;
  }

  async #runBatch(queue: DueQueue): Promise<void> {
    this.#run.tasks.check();
    const batch = takeBatch(this.#run.world, queue);
    const small = batch.filter(({ job }) => isSmall(this.#run.world, job)) as WaitingJob<SmallJob>[];
    const runs = await Promise.allSettled(
      small.length > 1
        ? chunksOf(TOGETHER_MAX, small).map((chunk, nth) => this.#jobs.runTogether(chunk, nth))
        : batch.map(async (waiting, index) =>
            IN_BACKGROUND.has(waiting.job.kind)
              ? this.#background.start(waiting)
              : this.#jobs.run(waiting, index),
          ),
    );
    const failed = runs.find((run) => run.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }
}

/** The jobs at the head of a queue that can run together: small ones, or others. */
function takeBatch(world: World, queue: DueQueue): WaitingJob[] {
  const first = queue.head?.job as Job;
  const areSmall = isSmall(world, first);
  const [max, withinMs] = areSmall
    ? [TOGETHER_MAX * TRANSACTIONS_AT_ONCE, TOGETHER_MS]
    : [BATCH_MAX, BATCH_MS];
  const subjects = new Set<string>();
  return queue.take(({ job }) => {
    const isTogether =
      subjects.size < max &&
      !subjects.has(subjectOf(job)) &&
      job.dueAtMs < first.dueAtMs + withinMs &&
      isSmall(world, job) === areSmall;
    subjects.add(subjectOf(job));
    return isTogether;
  });
}
