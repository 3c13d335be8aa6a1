import type { OutboxEntry } from '../../store/events/outbox.ts';
import { readDueJobs, type Whose } from '../../store/scheduler/due.ts';
import { toWaitingJob, type WaitingJob } from '../../store/scheduler/job.ts';
import type { StoredItem } from '../../store/table/item.ts';
import type { JobPk, Key } from '../../store/table/keys.ts';

/** The due jobs of some partitions, read a part at a time, in due order. */
export class DueQueue {
  readonly #pks: readonly JobPk[];
  readonly #whose: Whose | undefined;
  #untilMs: number;
  /** The sort keys of the jobs that were taken: a job stays in the store until it has run. */
  readonly #taken = new Set<string>();
  /** In due order, and complete up to `#horizon`. */
  #waiting: WaitingJob[] = [];
  #horizon = '';
  #isAllRead = false;
  #isStuck = false;

  /** @param untilMs jobs are due by then, on the merchant's clock */
  constructor(pks: readonly JobPk[], untilMs: number, whose?: Whose) {
    this.#pks = pks;
    this.#whose = whose;
    this.#untilMs = untilMs;
  }

  /** The next of the jobs that were read. */
  get head(): WaitingJob | undefined {
    return this.#waiting[0];
  }

  /**
   * Reads the next due jobs, unless jobs that were read before are still waiting.
   * @param onBroken called with each item that cannot be read as a job
   */
  async fill(onBroken: (item: StoredItem & Key<JobPk>, error: unknown) => Promise<void>): Promise<void> {
    if (this.#waiting.length > 0 || this.#isAllRead || this.#isStuck) {
      return;
    }
    // Before the read: a refresh meanwhile asks for another one.
    this.#isAllRead = true;
    const { items, horizon, isAll } = await readDueJobs(this.#pks, this.#untilMs, this.#whose);
    this.#horizon = horizon;
    this.#isAllRead &&= isAll;
    const jobs: WaitingJob[] = [];
    for (const item of items as (StoredItem & Key<JobPk>)[]) {
      try {
        if (!this.#taken.has(item.sk)) {
          jobs.push(toWaitingJob(item));
        }
      } catch (error) {
        await onBroken(item, error);
      }
    }
    this.#wait(jobs);
    this.#isStuck = !isAll && this.#waiting.length === 0;
  }

  /** Lets jobs wait, unless they wait already or were taken: a job can be added while it is read. */
  #wait(jobs: readonly WaitingJob[]): void {
    const waiting = new Set(this.#waiting.map(({ key }) => key.sk));
    const others = jobs.filter(({ key }) => !this.#taken.has(key.sk) && !waiting.has(key.sk));
    if (others.length > 0) {
      this.#waiting = [...this.#waiting, ...others].toSorted((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
    }
  }

  /** Allows reading again: a read that found only taken jobs can find others once some of them have run. */
  readOn(): void {
    this.#isStuck = false;
  }

  /** Makes the next `fill` find jobs that others have added. @param untilMs jobs are due by then, as time has passed */
  refresh(untilMs = this.#untilMs): void {
    this.#untilMs = untilMs;
    this.#isAllRead = false;
    this.#isStuck = false;
  }

  /**
   * Adds newly queued jobs of these partitions, if they are due before the end of what was read. First attempts are read
   * instead: another runner may have queued an earlier one of their resource since the last read.
   */
  add(jobs: readonly WaitingJob[]): void {
    const due = jobs.filter(({ key }) => this.#pks.includes(key.pk) && key.sk <= this.#horizon);
    if (due.some(isFirstAttempt)) {
      this.refresh();
    }
    this.#wait(due.filter((one) => !isFirstAttempt(one)));
  }

  /** Takes jobs from the head of the queue as long as `isSuch` accepts them. */
  take(isSuch: (job: WaitingJob) => boolean): WaitingJob[] {
    const end = this.#waiting.findIndex((waiting) => !isSuch(waiting));
    const taken = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
    for (const { key } of taken) {
      this.#taken.add(key.sk);
    }
    return taken;
  }

  /** Leaves out superseded jobs. */
  leaveOut(sks: readonly string[]): void {
    for (const sk of sks) {
      this.#taken.add(sk);
    }
    this.#waiting = this.#waiting.filter(({ key }) => !this.#taken.has(key.sk));
  }
}

function isFirstAttempt({ job }: WaitingJob): boolean {
  return job.kind === 'deliver-event' && job.attempt === 1;
}

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
  refresh(untilMs?: number): void {
    for (const queue of this.#queues) {
      queue.refresh(untilMs);
    }
  }
}
