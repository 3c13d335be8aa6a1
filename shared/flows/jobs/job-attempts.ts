import { SpanKind } from '@opentelemetry/api';
import { mapLimit } from '../../concurrency/map-limit.ts';
import { VIEW } from '../../contract/views.ts';
import { MINUTE_MS } from '../../domain/clock.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { addRunCounts, NO_COUNTS, type RunCounts } from '../../domain/run-counts.ts';
import { entriesIn, type OutboxEntry } from '../../store/events/outbox.ts';
import { insertJob, jobsIn, type WaitingJob } from '../../store/scheduler/job.ts';
import { parkJob } from '../../store/scheduler/parked.ts';
import { commit, keyOf, type Write } from '../../store/table/commit.ts';
import { remove, type StoredItem } from '../../store/table/item.ts';
import type { JobPk, Key } from '../../store/table/keys.ts';
import { isTemporary } from '../../store/table/temporary.ts';
import { type Cause, writesOf } from '../../store/writes.ts';
import { describeError, log } from '../../telemetry/log.ts';
import { inSpan, inTrace } from '../../telemetry/spans.ts';
import { type Effect, effectsOfSmall, performJob, type SmallJob } from './job-effects.ts';
import type { RunContext } from './run-context.ts';

/** Jobs about different ids run concurrently, since they mostly wait for the store. */
export const BATCH_MAX = 8;
/** How many times a job is decided when its commits conflict. */
const DECISIONS_MAX = 10;
/** Pauses after each failure, on the merchant's clock. A job that fails after the last pause is parked. */
const FAILURE_PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];

export interface JobAttemptOptions {
  /**
   * Dispatches the entries that a commit has made, which the run holds by its lease. Without it, another runner dispatches
   * the entries.
   */
  readonly dispatch?: ((written: readonly OutboxEntry[]) => Promise<void>) | undefined;
  /**
   * Makes a write for every commit, which stores counts where a retry finds them.
   * @param counter differs within a batch, so that its commits do not conflict on one counter
   */
  readonly count?: ((counts: RunCounts, counter: number) => Write) | undefined;
  /** Called with each attempt to deliver that was made. */
  readonly onAttempt?: (delivery: Delivery) => void;
}

/** Makes attempts at jobs: performs one, commits its effect, postpones it after a failure, and finally parks it. */
export class JobAttempts {
  readonly #run: RunContext;
  readonly #options: JobAttemptOptions;

  constructor(run: RunContext, options: JobAttemptOptions = {}) {
    this.#run = run;
    this.#options = options;
  }

  /** @throws the store's error if the store fails temporarily (`isTemporary`) */
  run(waiting: WaitingJob, counter: number): Promise<void> {
    const span = { name: `job ${waiting.job.kind}`, kind: SpanKind.CONSUMER, parent: waiting.trace };
    return inSpan(span, () => this.#attempt(waiting, counter));
  }

  async #attempt(waiting: WaitingJob, counter: number): Promise<void> {
    const { world, limits, poster } = this.#run;
    const { onAttempt } = this.#options;
    try {
      let effect: Effect | undefined;
      for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
        effect = await (effect?.decideAfterConflict?.() ??
          performJob(world, waiting.job, { baseUrl: limits.baseUrl, poster }));
        const writes = writesOf(this.#cause, effect.changes, VIEW);
        const counts = { ...NO_COUNTS, ...effect.counts, jobsRun: 1 };
        if (await this.#finish(writes, counts, [waiting], counter)) {
          for (const change of effect.changes) {
            if ('kind' in change && change.kind === 'delivery') {
              onAttempt?.(change.delivery);
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
   * Runs small jobs in one transaction. Where one of them conflicts or fails, each runs by itself; so does a
   * job that writes what another one writes.
   * @param counter as for `run`
   * @throws the store's error if the store fails temporarily (`isTemporary`)
   */
  runTogether(batch: readonly WaitingJob<SmallJob>[], counter: number): Promise<void> {
    const links = batch.flatMap(({ trace }) => (trace === null ? [] : [{ context: trace }]));
    const span = { name: 'jobs expire-payment', kind: SpanKind.CONSUMER, links };
    return inSpan(span, () => this.#attemptTogether(batch, counter));
  }

  async #attemptTogether(batch: readonly WaitingJob<SmallJob>[], counter: number): Promise<void> {
    let alone = batch;
    try {
      const { world } = this.#run;
      const effects = await effectsOfSmall(
        world,
        batch.map(({ job }) => job),
      );
      const together: WaitingJob<SmallJob>[] = [];
      const writes: Write[] = [];
      const written = new Set<string>();
      let counts = NO_COUNTS;
      for (const [nth, { changes, counts: own }] of effects.entries()) {
        const its = inTrace(batch[nth]?.trace, () => writesOf(this.#cause, changes, VIEW));
        const names = its.map(keyOf).map(({ pk, sk }) => `${pk} ${sk}`);
        const waiting = batch[nth];
        if (waiting !== undefined && names.every((name) => !written.has(name))) {
          together.push(waiting);
          writes.push(...its);
          counts = addRunCounts(counts, { ...NO_COUNTS, ...own, jobsRun: 1 });
          for (const name of names) {
            written.add(name);
          }
        }
      }
      if (await this.#finish(writes, counts, together, counter)) {
        alone = batch.filter((waiting) => !together.includes(waiting));
      }
    } catch (error) {
      if (isTemporary(error)) {
        throw error;
      }
    }
    await mapLimit(BATCH_MAX, alone, (waiting) => this.run(waiting, batch.indexOf(waiting) % BATCH_MAX));
  }

  /** Takes a job out of its queue for good, for an operator to see. */
  async park(item: StoredItem & Key<JobPk>, error: unknown): Promise<void> {
    const { world, limits } = this.#run;
    log.error('a job was parked', { kind: item.kind ?? null, world: world.id, error: describeError(error) });
    const reason = error instanceof Error ? error.name : 'unknown';
    const outcome = await commit([parkJob(item, reason, Date.now()), remove({ pk: item.pk, sk: item.sk })]);
    if (outcome.kind === 'committed') {
      limits.onDone?.({ ...NO_COUNTS, jobsParked: 1 });
    }
  }

  /** A runner that dispatches entries itself holds those that it writes. */
  get #cause(): Cause {
    const { world, leases } = this.#run;
    return { world, lease: this.#options.dispatch === undefined ? null : leases.lease };
  }

  /**
   * Commits the writes together with the removal of their jobs.
   * @returns false for a conflict: the caller has to decide again
   */
  async #finish(
    writes: readonly Write[],
    counts: RunCounts,
    jobs: readonly WaitingJob[],
    counter: number,
  ): Promise<boolean> {
    const { queues, limits, leases, tasks } = this.#run;
    const { count, dispatch } = this.#options;
    const all = [...writes, ...jobs.map(({ key }) => remove(key))];
    const outcome = await (count === undefined
      ? commit(all, 'finish job')
      : commit([...all, count(counts, counter)], 'finish moved job'));
    if (outcome.kind === 'conflict') {
      // A job that is gone was run by another runner.
      return jobs.every((_, nth) => outcome.failed.includes(writes.length + nth));
    }
    limits.onDone?.(counts);
    queues.add(jobsIn(writes));
    const entries = entriesIn(writes);
    queues.leaveOut(entries);
    if (dispatch !== undefined && entries.length > 0) {
      for (const { key } of entries) {
        leases.hold(key);
      }
      tasks.add(dispatch(entries));
    }
    return true;
  }

  async #postpone({ key, job, failures }: WaitingJob, error: unknown): Promise<void> {
    const { world, queues } = this.#run;
    const pauseMs = FAILURE_PAUSES_MS[failures];
    const about = { kind: job.kind, failures: failures + 1, error: describeError(error) };
    if (pauseMs === undefined) {
      return this.park({ ...key, kind: job.kind, worldId: world.id, job: JSON.stringify(job) }, error);
    }
    log.warn('a job failed and will be retried', about);
    const later = insertJob(world, { ...job, dueAtMs: job.dueAtMs + pauseMs }, failures + 1);
    const outcome = await commit([later, remove(key)]);
    if (outcome.kind === 'committed') {
      queues.add(jobsIn([later]));
    }
  }
}
