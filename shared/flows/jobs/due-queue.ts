import type { Item } from '../../store/item.ts';
import { toWaitingJob, type WaitingJob } from '../../store/job.ts';
import type { JobPk, Key } from '../../store/keys.ts';
import { readDueJobs } from '../../store/scheduler/due.ts';

/** The due jobs of some partitions, read a part at a time, in due order. */
export class DueQueue {
  readonly #pks: readonly JobPk[];
  #untilMs: number;
  /** By sort key, what was taken: it stays in the store until it is done. */
  readonly #taken = new Set<string>();
  /** In due order, and complete up to `#horizon`. */
  #waiting: WaitingJob[] = [];
  #horizon = '';
  #isAllRead: boolean;
  #isStuck = false;

  /** @param untilMs jobs are due by then, on the merchant's clock */
  constructor(pks: readonly JobPk[], untilMs: number) {
    this.#pks = pks;
    this.#untilMs = untilMs;
    this.#isAllRead = pks.length === 0;
  }

  /** The next job, of those that were read. */
  get head(): WaitingJob | undefined {
    return this.#waiting[0];
  }

  /**
   * Reads what is due, where nothing waits that was read before.
   * @param onBroken told of what cannot be read as a job
   */
  async fill(onBroken: (item: Item & Key<JobPk>, error: unknown) => Promise<void>): Promise<void> {
    if (this.#waiting.length > 0 || this.#isAllRead || this.#isStuck) {
      return;
    }
    const { items, horizon, isAll } = await readDueJobs(this.#pks, this.#untilMs);
    this.#horizon = horizon;
    this.#isAllRead = isAll;
    for (const item of items as (Item & Key<JobPk>)[]) {
      try {
        if (!this.#taken.has(item.sk)) {
          this.#waiting.push(toWaitingJob(item));
        }
      } catch (error) {
        await onBroken(item, error);
      }
    }
    this.#isStuck = !isAll && this.#waiting.length === 0;
  }

  /** Where all that a read brings is taken already, it is of use again when something of that is done. */
  readOn(): void {
    this.#isStuck = false;
  }

  /** Looks again for what others may have added. @param untilMs what is due by then, now that time has passed */
  readAgain(untilMs = this.#untilMs): void {
    this.#untilMs = untilMs;
    this.#isAllRead = this.#pks.length === 0;
    this.#isStuck = false;
  }

  /** Adds jobs of these partitions that were queued meanwhile, where they lie within what is complete. */
  add(jobs: readonly WaitingJob[]): void {
    const due = jobs.filter(({ key }) => this.#pks.includes(key.pk) && key.sk <= this.#horizon);
    if (due.length > 0) {
      this.#waiting = [...this.#waiting, ...due].toSorted((a, b) => (a.key.sk < b.key.sk ? -1 : 1));
    }
  }

  /** Takes the first jobs, as long as they are such. */
  take(isSuch: (job: WaitingJob) => boolean): WaitingJob[] {
    const end = this.#waiting.findIndex((waiting) => !isSuch(waiting));
    const taken = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
    for (const { key } of taken) {
      this.#taken.add(key.sk);
    }
    return taken;
  }

  /** Leaves out jobs that are needless. */
  leaveOut(sks: readonly string[]): void {
    for (const sk of sks) {
      this.#taken.add(sk);
    }
    this.#waiting = this.#waiting.filter(({ key }) => !this.#taken.has(key.sk));
  }
}
