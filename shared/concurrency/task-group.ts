import { setTimeout as sleep } from 'node:timers/promises';

/** Tasks that run in the background until their owner waits for them. */
export class TaskGroup {
  readonly #works = new Set<Promise<unknown>>();
  #failure: { readonly error: unknown } | null = null;

  add(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#works.delete(tracked);
      });
    this.#works.add(tracked);
  }

  get isEmpty(): boolean {
    return this.#works.size === 0;
  }

  /** Waits until a task has ended, at most until an instant of real time. @throws the first error of any task */
  async progress(untilMs: number): Promise<void> {
    await this.#wait(Promise.race(this.#works), untilMs);
    this.check();
  }

  /** Waits until all tasks have ended, at most until an instant of real time. */
  async end(untilMs: number): Promise<void> {
    while (!this.isEmpty && Date.now() < untilMs) {
      await this.#wait(Promise.all(this.#works), untilMs);
    }
  }

  async #wait(works: Promise<unknown>, untilMs: number): Promise<void> {
    const ending = new AbortController();
    const timeout = sleep(Math.max(untilMs - Date.now(), 0), undefined, { signal: ending.signal });
    await Promise.race([works, timeout.catch(() => undefined)]);
    ending.abort();
  }

  /** @throws the first error of any task */
  check(): void {
    if (this.#failure !== null) {
      throw this.#failure.error;
    }
  }
}
