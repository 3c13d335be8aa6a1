interface Waiting<Thing, ProviderResult> {
  readonly thing: Thing;
  readonly resolve: (answer: ProviderResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Processes items in batches: items that are added while a batch is running form the next one. */
export class Batcher<Thing, ProviderResult> {
  readonly #atOnceMax: number;
  readonly #act: (things: readonly Thing[]) => Promise<readonly ProviderResult[]>;
  #waiting: Waiting<Thing, ProviderResult>[] = [];
  #isRunning = false;

  /** @param act returns one result for each item, in order; if it throws, that error rejects the whole batch */
  constructor(atOnceMax: number, act: (things: readonly Thing[]) => Promise<readonly ProviderResult[]>) {
    this.#atOnceMax = atOnceMax;
    this.#act = act;
  }

  add(thing: Thing): Promise<ProviderResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ thing, resolve, reject });
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    // Collects the items that are added synchronously into one batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#atOnceMax);
      try {
        const answers = await this.#act(batch.map(({ thing }) => thing));
        for (const [place, { resolve }] of batch.entries()) {
          resolve(answers[place] as ProviderResult);
        }
      } catch (error) {
        for (const { reject } of batch) {
          reject(error);
        }
      }
    }
    this.#isRunning = false;
  }
}
