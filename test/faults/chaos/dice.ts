const MULBERRY = 0x6d2b79f5;
const RANGE = 2 ** 32;

/** Random choices that are the same for the same seed. */
export class Dice {
  #state: number;

  /** @param use the purpose of the choices: each purpose has its own sequence */
  constructor(seed: number, use: string) {
    this.#state = [...use].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x01000193), seed | 0);
  }

  /** From 0 to below 1. */
  roll(): number {
    this.#state = (this.#state + MULBERRY) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1));
  }

  isHit(chance: number): boolean {
    return this.roll() < chance;
  }

  pick<Thing>(things: readonly [Thing, ...Thing[]]): Thing {
    return things[this.between(0, things.length - 1)] ?? things[0];
  }
}
