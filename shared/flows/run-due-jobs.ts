import { VIEW } from '../contract/views.ts';
import { MINUTE_MS } from '../domain/clock.ts';
import { subjectOf } from '../domain/job.ts';
import { addRunCounts, NO_COUNTS, type RunCounts } from '../domain/run-counts.ts';
import type { World } from '../domain/world.ts';
import { describeError, log } from '../http/log.ts';
import { commit, type Write } from '../store/commit.ts';
import { type Item, remove } from '../store/item.ts';
import { insertJob, jobsIn, toWaitingJob, type WaitingJob } from '../store/job.ts';
import type { Key } from '../store/keys.ts';
import { readDueJobs } from '../store/scheduler/due.ts';
import type { Lease } from '../store/scheduler/lease.ts';
import { parkJob } from '../store/scheduler/parked.ts';
import { isTemporary } from '../store/temporary.ts';
import { findWorld } from '../store/world.ts';
import { writesOf } from '../store/writes.ts';
import { publish, publishableAtOnce } from './publish.ts';
import { type Effect, runJob } from './run-job.ts';
import { readTargets } from './targets.ts';

/** How often a job is decided again after a conflict. */
const DECISIONS_MAX = 10;
/** Jobs about different ids run side by side, since most of their time is waiting for the store. */
const BATCH_MAX = 8;
/** Shorter than the shortest time until a job's follow-up is due, so that a batch never overtakes a follow-up. */
const BATCH_MS = 1_000;
/** Pauses after each failure, on the merchant's clock. A job that fails after the last pause is parked. */
const FAILURE_PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];

export interface Run {
  /** The base URL of this service, and so of its sinks. */
  readonly baseUrl: string;
  /** Jobs run that are due by then, on the merchant's clock. */
  readonly untilMs: number;
  /** No job is started after this instant of real time. */
  readonly deadlineMs: number;
  readonly jobsMax: number;
  /** No job is started after it is lost. */
  readonly lease: Lease;
  /**
   * A write for every commit, to store counts where a retry finds them.
   * @param place differs within a batch, so that its commits do not conflict on one counter
   */
  readonly count?: (counts: RunCounts, place: number) => Write;
  /** Called after every commit, so that its counts are not lost if a later one throws. */
  readonly onDone?: (counts: RunCounts) => void;
}

export interface RunReport {
  readonly counts: RunCounts;
  /** Whether the run ended before all due jobs: by time, number of jobs, or a lost lease. */
  readonly isCutShort: boolean;
}

/**
 * Runs the due jobs of a world and the jobs that they cause, in due order, each as of its own due time.
 * A job is removed in the transaction of its effect, so a run that dies, or that runs beside another, repeats nothing.
 * A job that fails is tried again later and finally parked; it never stops the others.
 * @throws the store's error where the store fails for now (`isTemporary`)
 */
export async function runDueJobs(world: World, run: Run): Promise<RunReport> {
  return new Runner(world, run).run();
}

class Runner {
  #world: World;
  readonly #run: Run;
  #counts = NO_COUNTS;
  /** In due order, and complete up to `#horizon`. */
  #queue: WaitingJob[] = [];
  #horizon = '';
  #isAllRead = false;
  #publishMax = Number.POSITIVE_INFINITY;
  #isGone = false;

  constructor(world: World, run: Run) {
    this.#world = world;
    this.#run = run;
  }

  async run(): Promise<RunReport> {
    while (!this.#isGone && (this.#queue.length > 0 || (!this.#isAllRead && (await this.#refill())))) {
      if (this.#isOver) {
        return { counts: this.#counts, isCutShort: true };
      }
      await this.#runNext();
    }
    return { counts: this.#counts, isCutShort: false };
  }

  get #isOver(): boolean {
    const { lease, deadlineMs, jobsMax } = this.#run;
    return lease.isLost || Date.now() >= deadlineMs || this.#counts.jobsRun >= jobsMax;
  }

  async #refill(): Promise<boolean> {
    const { items, horizon, isAll } = await readDueJobs(this.#world, this.#run.untilMs);
    this.#horizon = horizon;
    this.#isAllRead = isAll;
    for (const item of items) {
      await this.#enqueue(item as Item & Key);
    }
    return this.#queue.length > 0;
  }

  async #enqueue(item: Item & Key): Promise<void> {
    try {
      this.#queue.push(toWaitingJob(item));
    } catch (error) {
      await this.#park(item, error);
    }
  }

  async #runNext(): Promise<void> {
    if (this.#queue[0]?.job.kind === 'publish-event') {
      return this.#publishNext();
    }
    const runs = await Promise.allSettled(
      this.#takeBatch().map((waiting, place) => this.#runOne(waiting, place)),
    );
    const failed = runs.find((run) => run.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  /** The jobs at the head of the queue that can run together. */
  #takeBatch(): WaitingJob[] {
    const [first] = this.#queue;
    const subjects = new Set<string>();
    const last = this.#queue.findIndex(({ job }) => {
      const isTogether =
        job.kind !== 'publish-event' &&
        subjects.size < BATCH_MAX &&
        !subjects.has(subjectOf(job)) &&
        job.dueAtMs < Number(first?.job.dueAtMs) + BATCH_MS;
      subjects.add(subjectOf(job));
      return !isTogether;
    });
    return this.#queue.splice(0, last < 0 ? this.#queue.length : last);
  }

  async #runOne(waiting: WaitingJob, place: number): Promise<void> {
    try {
      for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
        const effect = await runJob(this.#world, waiting.job, this.#run.baseUrl);
        const writes = writesOf({ world: this.#world }, effect.changes, VIEW);
        if (await this.#finish(writes, effect.counts, [waiting], place)) {
          return;
        }
      }
      throw new Error(`the job conflicted ${DECISIONS_MAX} times`);
    } catch (error) {
      if (isTemporary(error)) {
        throw error;
      }
      await this.#postpone(waiting, error);
    }
  }

  /** Publishes the events at the head of the queue, as many as fit into one transaction. */
  async #publishNext(): Promise<void> {
    const targets = await readTargets(this.#world, this.#run.baseUrl);
    const other = this.#queue.findIndex(({ job }) => job.kind !== 'publish-event');
    const heads = other < 0 ? this.#queue.length : other;
    const batch = this.#queue.splice(0, Math.min(heads, this.#publishMax, publishableAtOnce(targets)));
    try {
      if (await this.#finish(publish(this.#world, targets, batch, Date.now()), {}, batch)) {
        this.#world = { ...this.#world, eventCount: this.#world.eventCount + batch.length };
      } else {
        await this.#lookAgain();
      }
    } catch (error) {
      if (isTemporary(error)) {
        throw error;
      }
      if (batch[0] !== undefined && batch.length === 1) {
        return this.#postpone(batch[0], error);
      }
      // One of the events is bad: publish them one by one to find it.
      this.#publishMax = 1;
      this.#queue = [...batch, ...this.#queue];
    }
  }

  /** After a conflict: reads the jobs again where another runner was faster, ends the run where the world was purged. */
  async #lookAgain(): Promise<void> {
    this.#queue = [];
    this.#isAllRead = false;
    const current = await findWorld(this.#world.id);
    if (current?.epoch !== this.#world.epoch) {
      this.#isGone = true;
    } else {
      this.#world = { ...this.#world, eventCount: current.eventCount };
    }
  }

  /**
   * Commits the writes together with the removal of their jobs.
   * @returns false for a conflict: the caller has to decide again
   */
  async #finish(
    writes: readonly Write[],
    done: Effect['counts'],
    jobs: readonly WaitingJob[],
    place = 0,
  ): Promise<boolean> {
    const counts: RunCounts = { ...NO_COUNTS, ...done, jobsRun: jobs.length };
    const outcome = await commit([
      ...writes,
      ...jobs.map(({ key }) => remove(key)),
      ...(this.#run.count ? [this.#run.count(counts, place)] : []),
    ]);
    if (outcome.kind === 'conflict') {
      const isGone = outcome.which.some(
        (failed) => failed >= writes.length && failed < writes.length + jobs.length,
      );
      // Another runner has run this job: nothing is left to do.
      return isGone && jobs.length === 1 && jobs[0]?.job.kind !== 'publish-event';
    }
    this.#add(counts);
    this.#goOnWith(jobsIn(writes));
    return true;
  }

  #add(counts: RunCounts): void {
    this.#counts = addRunCounts(this.#counts, counts);
    this.#run.onDone?.(counts);
  }

  /** Adds follow-up jobs to this run, where they lie within the part of the queue that is complete. */
  #goOnWith(caused: readonly WaitingJob[]): void {
    const due = caused.filter(({ key }) => key.sk <= this.#horizon);
    if (due.length > 0) {
      this.#queue = [...this.#queue, ...due].toSorted((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
    }
  }

  async #postpone({ key, job, failures }: WaitingJob, error: unknown): Promise<void> {
    const pauseMs = FAILURE_PAUSES_MS[failures];
    const about = { kind: job.kind, failures: failures + 1, error: describeError(error) };
    if (pauseMs === undefined) {
      return this.#park({ ...key, kind: job.kind, worldId: this.#world.id, job: JSON.stringify(job) }, error);
    }
    log.warn('a job failed and will be tried again', about);
    const later = insertJob(this.#world, { ...job, dueAtMs: job.dueAtMs + pauseMs }, failures + 1);
    const outcome = await commit([later, remove(key)]);
    if (outcome.kind === 'committed') {
      this.#goOnWith(jobsIn([later]));
    }
  }

  async #park(item: Item & Key, error: unknown): Promise<void> {
    log.error('a job was parked', {
      kind: item.kind ?? null,
      world: this.#world.id,
      error: describeError(error),
    });
    const reason = error instanceof Error ? error.name : 'unknown';
    const outcome = await commit([parkJob(item, reason, Date.now()), remove({ pk: item.pk, sk: item.sk })]);
    if (outcome.kind === 'committed') {
      this.#add({ ...NO_COUNTS, jobsParked: 1 });
    }
  }
}
