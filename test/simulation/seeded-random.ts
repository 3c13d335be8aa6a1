/** Random numbers that one seed decides. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Seeds that follow one another begin alike without that.
    for (let round = 0; round < 4; round += 1) {
      this.bits();
    }
  }

  /** 32 random bits (mulberry32). */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** A whole number of milliseconds, mostly short: half of them are below a fifth of the longest. */
  pauseMs(longestMs: number): number {
    return Math.floor(this.fraction() ** 2.3 * longestMs);
  }

  fill<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
    for (let index = 0; index < bytes.length; index += 1) {
      bytes[index] = this.bits() & 0xff;
    }
    return bytes;
  }
}
