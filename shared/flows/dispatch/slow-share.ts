import type { World } from '../../domain/world.ts';

/** How long a first attempt may go without a response before it counts as slow. */
const SLOW_AFTER_MS = 250;
/** How many slow first attempts of one merchant a process waits for at the same time, over all its worlds of a mode. */
const SLOW_MAX = 16;

/** By merchant and mode: how many slow first attempts this process waits for. */
const waitedFor = new Map<string, number>();

/** The share of one delivery in the patience that a process has with its merchant. */
export class SlowShare {
  readonly #merchant: string;
  #isUsedUp = false;

  constructor({ merchant, mode }: Pick<World, 'merchant' | 'mode'>) {
    this.#merchant = `${mode} ${merchant}`;
  }

  /** Whether an attempt was ended since it was slow, and as many others of the merchant were too. */
  get isUsedUp(): boolean {
    return this.#isUsedUp;
  }

  /** Makes an attempt. Its signal ends it if it is slow while the merchant's share is used up. */
  async during<Result>(attempt: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ending = new AbortController();
    let isCounted = false;
    const slow = setTimeout(() => {
      isCounted = this.#count(+1) <= SLOW_MAX;
      if (!isCounted) {
        this.#count(-1);
        this.#isUsedUp = true;
        ending.abort();
      }
    }, SLOW_AFTER_MS);
    try {
      return await attempt(ending.signal);
    } finally {
      clearTimeout(slow);
      if (isCounted) {
        this.#count(-1);
      }
    }
  }

  #count(more: 1 | -1): number {
    const count = (waitedFor.get(this.#merchant) ?? 0) + more;
    if (count === 0) {
      waitedFor.delete(this.#merchant);
    } else {
      waitedFor.set(this.#merchant, count);
    }
    return count;
  }
}
