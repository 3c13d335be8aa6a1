import { setTimeout as sleep } from 'node:timers/promises';
import { VIEW } from '../../contract/views.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/clock.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { type JobKind, subjectOf } from '../../domain/job.ts';
import { addRunCounts, NO_COUNTS, type RunCounts } from '../../domain/run-counts.ts';
import { type World, worldNow } from '../../domain/world.ts';
import { commit, type Write } from '../../store/commit.ts';
import { getItem, remove, type StoredItem } from '../../store/item.ts';
import { insertJob, jobsIn, type WaitingJob } from '../../store/job.ts';
import type { In, JobPk, Key } from '../../store/keys.ts';
import { entriesIn, type OutboxEntry } from '../../store/outbox.ts';
import { Leases } from '../../store/scheduler/lease.ts';
import { parkJob } from '../../store/scheduler/parked.ts';
import { Semaphore } from '../../store/semaphore.ts';
import { isTemporary } from '../../store/temporary.ts';
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
/** How often a job that another runner holds is checked again. */
const HELD_POLL_MS = 200;

/** What every run takes. */
interface RunLimits {
  /** The base URL of this service, for the addresses of sinks. */
  readonly baseUrl: string;
  /** Runs the jobs that are due by then, on the merchant's clock. */
  readonly untilMs: number;
  /** No job is started after this instant of real time. */
  readonly deadlineMs: number;
  /** Called after every commit, so that its counts are not lost if a later one throws. */
  readonly onDone?: ((counts: RunCounts) => void) | undefined;
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
export function runDueJobs(world: World, jobs: WorldJobs): Promise<RunCounts> {
  return runToEnd(world, jobs);
}

interface QueuedAttempts extends RunLimits {
  /** Partitions of the queued delivery attempts to make, one for each endpoint. */
  readonly queuePks: readonly In<'QUEUE'>[];
  /** How often it looks for new attempts while it waits for endpoints, in milliseconds. */
  readonly looksAgainMs: number;
  /** Called with each attempt that was made. */
  readonly onAttempt: (delivery: Delivery) => void;
}

/** Makes the queued attempts of endpoints that are due, as `runDueJobs` runs jobs. Another runner dispatches all entries. */
export function runQueuedAttempts(world: World, attempts: QueuedAttempts): Promise<RunCounts> {
  return runToEnd(world, { ...attempts, jobPks: [], entries: null });
}

interface MovedJobs extends WorldJobs {
  readonly queuePks: readonly In<'QUEUE'>[];
  /** How long the run waits for endpoints after its last job, in milliseconds. */
  readonly endpointsWaitMs?: number;
  readonly jobsMax?: number;
  /** Whether the lease on these jobs is held: without it no job is started. */
  readonly isHeld?: () => Promise<boolean>;
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
export function runMovedJobs(world: World, jobs: MovedJobs): Promise<RunCounts> {
  return runToEnd(world, { ...jobs, isExhaustive: true });
}

/** The options of the three runs. */
type Run = WorldJobs & Partial<QueuedAttempts & MovedJobs> & { readonly isExhaustive?: true };

async function runToEnd(world: World, run: Run): Promise<RunCounts> {
  const leases = new Leases(LEASE_MS);
  const runner = new Runner(world, run, leases);
  try {
    return await runner.run();
  } finally {
    await runner.end();
    leases.close();
  }
}

class Runner {
  readonly #world: World;
  readonly #run: Run;
  readonly #leases: Leases;
  readonly #dispatcher: Dispatcher;
  readonly #tasks = new TaskGroup();
  readonly #jobs: DueQueue;
  /** One for each endpoint, so that no endpoint delays the others. */
  readonly #attempts: readonly DueQueue[];
  readonly #semaphores = new Map<string, Semaphore>();
  /** By endpoint and resource: the end of the first attempts so far. */
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #poster = new Poster();
  #counts = NO_COUNTS;

  constructor(world: World, run: Run, leases: Leases) {
    const { baseUrl, deadlineMs, jobPks, queuePks = [], untilMs, count } = run;
    this.#world = world;
    this.#run = run;
    this.#leases = leases;
    this.#jobs = new DueQueue(jobPks, untilMs);
    this.#attempts = queuePks.map((pk) => new DueQueue([pk], untilMs));
    this.#dispatcher = new Dispatcher(world, {
      baseUrl,
      poster: this.#poster,
      deadlineMs,
      leases,
      waitsForOthers: run.isExhaustive === true,
      tasks: this.#tasks,
      count: count && ((counts) => count(counts, BATCH_MAX)),
      onDone: (counts) => this.#add(counts),
      onJobs: (jobs) => this.#goOnWith(jobs),
    });
  }

  async run(): Promise<RunCounts> {
    const { deadlineMs, endpointsWaitMs = Number.POSITIVE_INFINITY, isExhaustive } = this.#run;
    const entries = this.#run.entries ?? [];
    this.#leaveOut(entries);
    this.#dispatcher.add(entries);
    const { looksAgainMs = Number.POSITIVE_INFINITY } = this.#run;
    let lookAtMs = Date.now() + looksAgainMs;
    let waitUntilMs: number | null = null;
    let isLastLook = isExhaustive !== true;
    for (;;) {
      const next = await this.#next();
      if (next !== undefined) {
        if (await this.#isOver()) {
          return this.#counts;
        }
        await this.#runNext(next);
        isLastLook = isExhaustive !== true;
      } else if (!this.#tasks.isEmpty && Date.now() < (waitUntilMs ?? Number.POSITIVE_INFINITY)) {
        waitUntilMs ??= Math.min(deadlineMs, Date.now() + endpointsWaitMs);
        await this.#tasks.progress(Math.min(waitUntilMs, lookAtMs));
        const looksAgain = Date.now() >= lookAtMs;
        for (const queue of this.#queues) {
          looksAgain ? queue.readAgain(worldNow(this.#world, Date.now())) : queue.readOn();
        }
        lookAtMs = looksAgain ? Date.now() + looksAgainMs : lookAtMs;
        isLastLook = isExhaustive !== true;
      } else if (isLastLook) {
        this.#tasks.check();
        return this.#counts;
      } else {
        for (const queue of this.#queues) {
          queue.readAgain();
        }
        isLastLook = true;
      }
    }
  }

  /** Starts nothing more, and waits a short time for running tasks. */
  async end(): Promise<void> {
    this.#dispatcher.stop();
    await this.#tasks.end(Date.now() + END_MS);
    this.#poster.close();
  }

  get #queues(): readonly DueQueue[] {
    return [this.#jobs, ...this.#attempts];
  }

  async #isOver(): Promise<boolean> {
    const { deadlineMs, jobsMax = Number.POSITIVE_INFINITY, isHeld } = this.#run;
    const isOver = Date.now() >= deadlineMs || this.#counts.jobsRun >= jobsMax;
    return isOver || (isHeld !== undefined && !(await isHeld()));
  }

  /** The queue whose first job is due earliest. */
  async #next(): Promise<DueQueue | undefined> {
    await Promise.all(this.#queues.map((queue) => queue.fill((item, error) => this.#park(item, error))));
    const skOf = (queue: DueQueue) => queue.head?.key.sk ?? '';
    return this.#queues
      .filter(({ head }) => head !== undefined)
      .toSorted((one, other) => (skOf(one) < skOf(other) ? -1 : 1))[0];
  }

  async #runNext(queue: DueQueue): Promise<void> {
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
      const work = this.#run.isExhaustive ? this.#runUntilDone(waiting) : this.#tryOne(waiting);
      this.#tasks.add(work.then(() => undefined));
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
    const outcome = await commit([
      ...writes,
      remove(key),
      ...(this.#run.count ? [this.#run.count(counts, place)] : []),
    ]);
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
    this.#counts = addRunCounts(this.#counts, counts);
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
