import type { OutboxEntry } from '../../store/events/outbox.ts';
import type { Whose } from '../../store/scheduler/due.ts';
import type { WaitingJob } from '../../store/scheduler/job.ts';
import type { StoredItem } from '../../store/table/item.ts';
import type { JobPk, Key } from '../../store/table/keys.ts';
import { DueQueue } from './due-queue.ts';

/** The queues of a run: one for its jobs, or one for each endpoint, so that no endpoint delays the others. */
export class DueQueues {
  readonly #queues: readonly DueQueue[];

  /**
   * @param pks the partitions of each queue
   * @param untilMs jobs are due by then, on the merchant's clock
   */
  constructor(pks: readonly (readonly JobPk[])[], untilMs: number, whose?: Whose) {
    this.#queues = pks.map((its) => new DueQueue(its, untilMs, whose));
  }

  /**
   * The queue whose first job is due earliest.
   * @param onBroken called with each item that cannot be read as a job
   */
  async next(
    onBroken: (item: StoredItem & Key<JobPk>, error: unknown) => Promise<void>,
  ): Promise<DueQueue | undefined> {
    await Promise.all(this.#queues.map((queue) => queue.fill(onBroken)));
    const skOf = (queue: DueQueue) => queue.head?.key.sk ?? '';
    return this.#queues
      .filter(({ head }) => head !== undefined)
      .toSorted((one, other) => (skOf(one) < skOf(other) ? -1 : 1))[0];
  }

  /** Adds follow-up jobs. */
  add(jobs: readonly WaitingJob[]): void {
    for (const queue of this.#queues) {
      queue.add(jobs);
    }
  }

  /** Leaves out the jobs that commits have superseded: the dispatch of their entries removes them. */
  leaveOut(entries: readonly OutboxEntry[]): void {
    const superseded = entries.flatMap(({ supersededJobs }) => supersededJobs.map(({ sk }) => sk));
    for (const queue of this.#queues) {
      queue.leaveOut(superseded);
    }
  }

  /** Allows reading again, since some of the jobs that were taken may have run. */
  readOn(): void {
    for (const queue of this.#queues) {
      queue.readOn();
    }
  }

  /** Makes the next read find what others have queued. @param untilMs jobs are due by then, as time has passed */
  readAgain(untilMs?: number): void {
    for (const queue of this.#queues) {
      queue.readAgain(untilMs);
    }
  }
}
