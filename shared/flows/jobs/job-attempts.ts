import { VIEW } from '../../contract/views.ts';
import { MINUTE_MS } from '../../domain/clock.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { NO_COUNTS, type RunCounts } from '../../domain/run-counts.ts';
import { entriesIn, type OutboxEntry } from '../../store/events/outbox.ts';
import { insertJob, jobsIn, type WaitingJob } from '../../store/scheduler/job.ts';
import { parkJob } from '../../store/scheduler/parked.ts';
import { commit, type Write } from '../../store/table/commit.ts';
import { remove, type StoredItem } from '../../store/table/item.ts';
import type { JobPk, Key } from '../../store/table/keys.ts';
import { isTemporary } from '../../store/table/temporary.ts';
import { writesOf } from '../../store/writes.ts';
import { describeError, log } from '../../telemetry/log.ts';
import { type Effect, performJob } from './job-effects.ts';
import type { RunContext } from './run-context.ts';

/** How many times a job is decided when its commits conflict. */
const DECISIONS_MAX = 10;
/** Pauses after each failure, on the merchant's clock. A job that fails after the last pause is parked. */
const FAILURE_PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];

export interface JobAttemptOptions {
  /**
   * Dispatches an entry that a commit has made, which the run holds by its lease. Without it, another runner dispatches
   * the entries.
   */
  readonly dispatch?: ((entry: OutboxEntry) => Promise<void>) | undefined;
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
  async run(waiting: WaitingJob, counter: number): Promise<void> {
    const { world, limits, poster, leases } = this.#run;
    const { dispatch, onAttempt } = this.#options;
    try {
      let effect: Effect | undefined;
      for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
        effect = await (effect?.decideAfterConflict?.() ??
          performJob(world, waiting.job, { baseUrl: limits.baseUrl, poster }));
        const cause = { world, lease: dispatch === undefined ? null : leases.lease };
        const writes = writesOf(cause, effect.changes, VIEW);
        if (await this.#finish(writes, effect.counts, waiting, counter)) {
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

  /**
   * Commits the writes together with the removal of their job.
   * @returns false for a conflict: the caller has to decide again
   */
  async #finish(
    writes: readonly Write[],
    done: Effect['counts'],
    { key }: WaitingJob,
    counter: number,
  ): Promise<boolean> {
    const { queues, limits, leases, tasks } = this.#run;
    const { count, dispatch } = this.#options;
    const counts: RunCounts = { ...NO_COUNTS, ...done, jobsRun: 1 };
    const outcome = await (count === undefined
      ? commit([...writes, remove(key)], 'finish job')
      : commit([...writes, remove(key), count(counts, counter)], 'finish moved job'));
    if (outcome.kind === 'conflict') {
      // If the job is gone, another runner has run it.
      return outcome.failed.includes(writes.length);
    }
    limits.onDone?.(counts);
    queues.add(jobsIn(writes));
    const entries = entriesIn(writes);
    queues.leaveOut(entries);
    if (dispatch !== undefined) {
      for (const entry of entries) {
        leases.hold(entry.key);
        tasks.add(dispatch(entry));
      }
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
