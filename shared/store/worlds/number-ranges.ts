import { SECOND_MS } from '../../domain/clock.ts';

/** How many numbers a busy process takes at once: a counter then lasts for so many times the creations. @internal */
export const RANGE_SIZE = 8;
/** A number is used so soon after it was taken, or never: so numbers are in the order of time, but for a second. */
const USED_WITHIN_MS = SECOND_MS;

interface Range {
  next: number;
  readonly last: number;
  readonly takenAtMs: number;
}

/**
 * Numbers that this process has taken from counters. One that was asked for a number a moment ago takes a range of
 * them, so that the item of a busy counter is written less often than a number is used.
 */
export class NumberRanges {
  readonly #ranges = new Map<string, Range>();

  /**
   * @param counter names the counter
   * @param take takes so many numbers from it. @returns the last of them
   */
  async next(counter: string, take: (howMany: number) => Promise<number>): Promise<number> {
    const range = this.#ranges.get(counter);
    const isFresh = range !== undefined && Date.now() - range.takenAtMs < USED_WITHIN_MS;
    if (isFresh && range.next <= range.last) {
      return range.next++;
    }
    const howMany = isFresh ? RANGE_SIZE : 1;
    const last = await take(howMany);
    const first = last - howMany + 1;
    this.#ranges.set(counter, { next: first + 1, last, takenAtMs: Date.now() });
    return first;
  }
}
