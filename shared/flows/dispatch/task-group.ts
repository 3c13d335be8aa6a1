import { setTimeout as sleep } from 'node:timers/promises';

/** Work that goes on beside other work, until somebody waits for it. */
export class TaskGroup {
  readonly #works = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  add(work: Promise<void>): void {
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

  /** Waits until something has ended, at most until an instant of real time. @throws the first error of any work */
  async progress(untilMs: number): Promise<void> {
    await this.#wait(Promise.race(this.#works), untilMs);
    this.check();
  }

  /** Waits until everything has ended, at most until an instant of real time. */
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

  /** @throws the first error of any work */
  check(): void {
    if (this.#failure !== null) {
      throw this.#failure.error;
    }
  }
}
