import { setTimeout as sleep } from 'node:timers/promises';
import { VIEW } from '../../contract/views.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/clock.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { type JobKind, subjectOf } from '../../domain/job.ts';
import { NO_COUNTS, type RunCounts, type RunnerLimits } from '../../domain/run-counts.ts';
import { worldNow } from '../../domain/world.ts';
import { commit, type Write } from '../../store/commit.ts';
import { getItem, remove, type StoredItem } from '../../store/item.ts';
import { insertJob, jobsIn, type WaitingJob } from '../../store/job.ts';
import type { In, JobPk, Key } from '../../store/keys.ts';
import { entriesIn, type OutboxEntry } from '../../store/outbox.ts';
import { Leases } from '../../store/scheduler/lease.ts';
import { parkJob } from '../../store/scheduler/parked.ts';
import { Semaphore } from '../../store/semaphore.ts';
import { isTemporary } from '../../store/temporary.ts';
import type { StoredWorld } from '../../store/world.ts';
import { writesOf } from '../../store/writes.ts';
import { describeError, log } from '../../telemetry/log.ts';
import { Poster } from '../../webhooks/poster.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { TaskGroup } from '../dispatch/task-group.ts';
import { DueQueue } from './due-queue.ts';
import { type Effect, runJob } from './run-job.ts';

/** How many times a job is decided when its commits conflict. */
const DECISIONS_MAX = 10;
/** Jobs about different ids run concurrently, since they mostly wait for the store. */
const BATCH_MAX = 8;
/** Shorter than the shortest time until a job's follow-up is due, so that a batch never overtakes a follow-up. */
const BATCH_MS = 1_000;
/** Pauses after each failure, on the merchant's clock. A job that fails after the last pause is parked. */
const FAILURE_PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];
/** How long a run that ends waits for its running tasks. */
const END_MS = SECOND_MS;
/** A live runner renews its lease well before it ends. When a crashed runner's lease ends, another takes over. */
const LEASE_MS = 8 * SECOND_MS;
/** Long jobs run in the background, a few of each partition at the same time, each under a lease of one runner. */
export const LONG: ReadonlySet<JobKind> = new Set(['deliver-event', 'delete-epoch']);
const LONG_AT_ONCE = 16;
/** Attempts that become due while an endpoint is slow are started too, if it has a free slot. */
const LOOKS_AGAIN_MS = SECOND_MS;
/** How long a move of the clock waits for endpoints after its last job (contract §11). */
const ENDPOINTS_WAIT_MS = 10_000;
/** How often a job that another runner holds is checked again. */
const HELD_POLL_MS = 200;

/** What every run takes. */
export interface RunLimits extends Omit<RunnerLimits, 'timeMs'> {
  /** Runs the jobs that are due by then, on the merchant's clock. */
  readonly untilMs: number;
  /** No job is started after this instant of real time. */
  readonly deadlineMs: number;
}

interface WorldJobs extends RunLimits {
  /** Partitions of the jobs to run; none if another runner runs them. */
  readonly jobPks: readonly In<'JOBS'>[];
  /** The outbox entries to dispatch, with those that the jobs write; null: another runner dispatches all. */
  readonly entries: readonly OutboxEntry[] | null;
}

/**
 * Runs due jobs of a world and the jobs that they cause, in due order, each as of its own due time. Meanwhile it
 * dispatches the outbox entries that these jobs and others wrote. A job is removed in the transaction of its effect, so
 * a run that crashes, or that runs beside another, repeats nothing. A failing job is retried later and finally parked.
 * Neither a failing job nor a slow endpoint stops the other jobs.
 * @throws the store's error if the store fails temporarily (`isTemporary`)
 */
export function runDueJobs(world: StoredWorld, jobs: WorldJobs): Promise<void> {
  return running(new Runner(world, jobs), async (runner) => {
    do {
      await runner.runDue();
    } while (await runner.progress());
  });
}

interface QueuedAttempts extends RunLimits {
  /** Partitions of the queued delivery attempts to make, one for each endpoint. */
  readonly queuePks: readonly In<'QUEUE'>[];
  /** Called with each attempt that was made. */
  readonly onAttempt: (delivery: Delivery) => void;
}

/** Makes the queued attempts of endpoints that are due, as `runDueJobs` runs jobs. Another runner dispatches all entries. */
export function runQueuedAttempts(world: StoredWorld, attempts: QueuedAttempts): Promise<void> {
  const run = { ...attempts, jobPks: [], entries: null };
  return running(new Runner(world, run), async (runner) => {
    let lookAtMs = Date.now() + LOOKS_AGAIN_MS;
    do {
      if (Date.now() >= lookAtMs) {
        runner.readAgain(worldNow(world, Date.now()));
        lookAtMs = Date.now() + LOOKS_AGAIN_MS;
      }
      await runner.runDue();
    } while (await runner.progress(lookAtMs));
  });
}

interface MovedJobs extends WorldJobs {
  readonly queuePks: readonly In<'QUEUE'>[];
  /** Whether a further job may be started, after so many. */
  readonly mayStart?: (jobsRun: number) => Promise<boolean>;
  /**
   * Makes a write for every commit, which stores counts where a retry finds them.
   * @param place differs within a batch, so that its commits do not conflict on one counter
   */
  readonly count?: (counts: RunCounts, place: number) => Write;
}

/**
 * Runs what a move of the clock makes due, as `runDueJobs` does, queued attempts included. It ends only after a read
 * that finds nothing due, and it waits for the entries and jobs that other runners hold.
 */
export function runMovedJobs(world: StoredWorld, jobs: MovedJobs): Promise<void> {
  return running(new Runner(world, { ...jobs, waitsForOthers: true }), async (runner) => {
    let waitUntilMs: number | undefined;
    do {
      do {
        await runner.runDue();
        waitUntilMs ??= runner.isIdle ? undefined : Date.now() + ENDPOINTS_WAIT_MS;
      } while ((await runner.progress(waitUntilMs)) && Date.now() < Number(waitUntilMs));
      runner.readAgain();
    } while (await runner.runNext());
  });
}

interface Run extends WorldJobs, Partial<Omit<QueuedAttempts & MovedJobs, keyof WorldJobs>> {
  /** Whether it waits for the entries and jobs that other runners hold. */
  readonly waitsForOthers?: true;
}

async function running(runner: Runner, run: (runner: Runner) => Promise<void>): Promise<void> {
  try {
    await run(runner);
  } finally {
    await runner.end();
  }
}

class Runner {
  readonly #world: StoredWorld;
  readonly #run: Run;
  readonly #leases = new Leases(LEASE_MS);
  readonly #dispatcher: Dispatcher;
  readonly #tasks = new TaskGroup();
  readonly #jobs: DueQueue;
  /** One for the jobs, and one for each endpoint, so that no endpoint delays the others. */
  readonly #queues: readonly DueQueue[];
  readonly #semaphores = new Map<string, Semaphore>();
  /** By endpoint and resource: the end of the first attempts so far. */
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #poster = new Poster();
  #jobsRun = 0;
  #isOver = false;

  constructor(world: StoredWorld, run: Run) {
    const { jobPks, queuePks = [], untilMs, count } = run;
    this.#world = world;
    this.#run = run;
    this.#jobs = new DueQueue(jobPks, untilMs);
    this.#queues = [this.#jobs, ...queuePks.map((pk) => new DueQueue([pk], untilMs))];
    this.#dispatcher = new Dispatcher(world, {
      ...run,
      poster: this.#poster,
      leases: this.#leases,
      tasks: this.#tasks,
      count: count && ((counts) => count(counts, BATCH_MAX)),
      onDone: (counts) => this.#add(counts),
      onJobs: (jobs) => this.#goOnWith(jobs),
    });
    this.#leaveOut(run.entries ?? []);
    this.#dispatcher.add(run.entries ?? []);
  }

  get isIdle(): boolean {
    return this.#tasks.isEmpty;
  }

  /** Runs jobs until none is due, or none may be started. */
  async runDue(): Promise<void> {
    while (await this.runNext()) {}
  }

  /** @returns false where none is due, or none may be started */
  async runNext(): Promise<boolean> {
    const next = this.#isOver ? undefined : await this.#next();
    if (next === undefined) {
      return false;
    }
    const { deadlineMs, mayStart } = this.#run;
    this.#isOver = Date.now() >= deadlineMs || (await mayStart?.(this.#jobsRun)) === false;
    if (!this.#isOver) {
      await this.#runBatch(next);
    }
    return !this.#isOver;
  }

  /** Waits for a task in the background, at most until an instant. @returns false if there is none, or no time left */
  async progress(untilMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { deadlineMs } = this.#run;
    if (this.#isOver) {
      return false;
    }
    if (this.isIdle || Date.now() >= deadlineMs) {
      this.#tasks.check();
      return false;
    }
    await this.#tasks.progress(Math.min(untilMs, deadlineMs));
    for (const queue of this.#queues) {
      queue.readOn();
    }
    return true;
  }

  /** Makes the next read find what others have queued. @param untilMs jobs are due by then, as time has passed */
  readAgain(untilMs?: number): void {
    for (const queue of this.#queues) {
      queue.readAgain(untilMs);
    }
  }

  /** Starts nothing more, and waits a short time for running tasks. */
  async end(): Promise<void> {
    this.#dispatcher.stop();
    await this.#tasks.end(Date.now() + END_MS);
    this.#poster.close();
    this.#leases.close();
  }

  /** The queue whose first job is due earliest. */
  async #next(): Promise<DueQueue | undefined> {
    await Promise.all(this.#queues.map((queue) => queue.fill((item, error) => this.#park(item, error))));
    const skOf = (queue: DueQueue) => queue.head?.key.sk ?? '';
    return this.#queues
      .filter(({ head }) => head !== undefined)
      .toSorted((one, other) => (skOf(one) < skOf(other) ? -1 : 1))[0];
  }

  async #runBatch(queue: DueQueue): Promise<void> {
    this.#tasks.check();
    const runs = await Promise.allSettled(
      takeBatch(queue).map((waiting, place) =>
        LONG.has(waiting.job.kind) ? this.#runBeside(waiting) : this.#runOne(waiting, place),
      ),
    );
    const failed = runs.find((run) => run.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  /** Starts a job in the background. */
  async #runBeside(waiting: WaitingJob): Promise<void> {
    const { job, key } = waiting;
    if (job.kind !== 'deliver-event' || job.attempt > 1) {
      this.#tasks.add(this.#run.waitsForOthers ? this.#runUntilDone(waiting) : this.#tryOne(waiting));
      return;
    }
    // Across runners, first attempts keep the order of the events of a resource, and recovered events the order of all
    // events.
    const lane = `${key.pk} ${job.recoveredAtMs === undefined ? job.resourceId : 'recovered'}`;
    const work = Promise.resolve(this.#lanes.get(lane)).then(() => this.#runUntilDone(waiting));
    this.#lanes.set(lane, work);
    this.#tasks.add(work);
  }

  /** Runs a job, or waits until the runner that holds it has finished it. */
  async #runUntilDone(waiting: WaitingJob): Promise<void> {
    while (Date.now() < this.#run.deadlineMs) {
      if ((await this.#tryOne(waiting)) || (await getItem(waiting.key)) === undefined) {
        return;
      }
      await sleep(HELD_POLL_MS);
    }
  }

  /** @returns false if another runner holds it or has finished it */
  #tryOne(waiting: WaitingJob): Promise<boolean> {
    const { key } = waiting;
    return this.#semaphoreOf(key.pk).run(async () => {
      const isTaken = await this.#leases.take(key, { mustExist: true });
      if (isTaken) {
        await this.#runOne(waiting, BATCH_MAX + 1);
        this.#leases.drop(key);
      }
      return isTaken;
    });
  }

  #semaphoreOf(pk: string): Semaphore {
    const semaphore = this.#semaphores.get(pk) ?? new Semaphore(LONG_AT_ONCE);
    this.#semaphores.set(pk, semaphore);
    return semaphore;
  }

  async #runOne(waiting: WaitingJob, place: number): Promise<void> {
    try {
      const { baseUrl, entries } = this.#run;
      let effect: Effect | undefined;
      for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
        effect = await (effect?.again?.() ??
          runJob(this.#world, waiting.job, { baseUrl, poster: this.#poster }));
        const cause = { world: this.#world, lease: entries === null ? null : this.#leases.lease };
        const writes = writesOf(cause, effect.changes, VIEW);
        if (await this.#finish(writes, effect.counts, waiting, place)) {
          for (const change of effect.changes) {
            if ('kind' in change && change.kind === 'delivery') {
              this.#run.onAttempt?.(change.delivery);
            }
          }
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

  /**
   * Commits the writes together with the removal of their job.
   * @returns false for a conflict: the caller has to decide again
   */
  async #finish(
    writes: readonly Write[],
    done: Effect['counts'],
    { key }: WaitingJob,
    place: number,
  ): Promise<boolean> {
    const counts: RunCounts = { ...NO_COUNTS, ...done, jobsRun: 1 };
    const { count } = this.#run;
    const outcome = await (count === undefined
      ? commit([...writes, remove(key)], 'finish job')
      : commit([...writes, remove(key), count(counts, place)], 'finish moved job'));
    if (outcome.kind === 'conflict') {
      // If the job is gone, another runner has run it.
      return outcome.which.includes(writes.length);
    }
    this.#add(counts);
    this.#goOnWith(jobsIn(writes));
    const entries = entriesIn(writes);
    this.#leaveOut(entries);
    for (const { key: own, resourceId } of this.#run.entries === null ? [] : entries) {
      this.#leases.hold(own);
      this.#tasks.add(this.#dispatcher.dispatch(resourceId));
    }
    return true;
  }

  /** Leaves out the jobs that commits have superseded: the dispatch of their entries removes them. */
  #leaveOut(entries: readonly OutboxEntry[]): void {
    this.#jobs.leaveOut(entries.flatMap(({ supersededJobs }) => supersededJobs.map(({ sk }) => sk)));
  }

  #add(counts: RunCounts): void {
    this.#jobsRun += counts.jobsRun;
    this.#run.onDone?.(counts);
  }

  /** Adds follow-up jobs to this run. */
  #goOnWith(caused: readonly WaitingJob[]): void {
    for (const queue of this.#queues) {
      queue.add(caused);
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

  async #park(item: StoredItem & Key<JobPk>, error: unknown): Promise<void> {
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

/** The jobs at the head of a queue that can run together. */
function takeBatch(queue: DueQueue): WaitingJob[] {
  const firstDueAtMs = Number(queue.head?.job.dueAtMs);
  const subjects = new Set<string>();
  return queue.take(({ job }) => {
    const isTogether =
      subjects.size < BATCH_MAX && !subjects.has(subjectOf(job)) && job.dueAtMs < firstDueAtMs + BATCH_MS;
    subjects.add(subjectOf(job));
    return isTogether;
  });
}
