import { roll } from '../scenario/dice.ts';

const SHARES_TOTAL = 1_000;

/** Throws that follow from a seed alone, one after the other. */
export class Dice {
  readonly #seed: number;
  readonly #purpose: string;
  #thrown = 0;

  constructor(seed: number, purpose: string) {
    this.#seed = seed;
    this.#purpose = purpose;
  }

  /** @param share of a thousand */
  happens(share: number): boolean {
    return this.#throw() * SHARES_TOTAL < share;
  }

  /** A whole number from the least to the most. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#throw() * (most - least + 1));
  }

  /** @param list which is not empty */
  pick<Element>(list: readonly Element[]): Element {
    return list[this.between(0, list.length - 1)] as Element;
  }

  shuffled<Element>(list: readonly Element[]): Element[] {
    return list
      .map((element) => ({ element, at: this.#throw() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ element }) => element);
  }

  #throw(): number {
    this.#thrown += 1;
    return roll(this.#seed, this.#purpose, String(this.#thrown));
  }
}
