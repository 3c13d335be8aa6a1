/** Processes items in batches: items that are added while a batch is running form the next one. */
export class Batcher<Thing, Result> {
  readonly #atOnceMax: number;
  readonly #act: (things: readonly Thing[]) => Promise<Result>;
  #waiting: { readonly thing: Thing; readonly resolve: (result: Promise<Result>) => void }[] = [];
  #isRunning = false;

  /** @param act its result or error is that of every item of the batch */
  constructor(atOnceMax: number, act: (things: readonly Thing[]) => Promise<Result>) {
    this.#atOnceMax = atOnceMax;
    this.#act = act;
  }

  add(thing: Thing): Promise<Result> {
    return new Promise((resolve) => {
      this.#waiting.push({ thing, resolve });
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
      const result = this.#act(batch.map(({ thing }) => thing));
      for (const { resolve } of batch) {
        resolve(result);
      }
      await result.catch(() => undefined);
    }
    this.#isRunning = false;
  }
}
