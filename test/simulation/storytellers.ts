import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Omissions, Told } from './story.ts';
import type { Order, Shortest } from './storyteller.ts';

const PROGRAM = path.join(import.meta.dirname, 'storyteller.ts');
/** A story takes a fraction of a second, beside others that take all processors up to a minute: this one never ends. */
const STORY_MAX_MS = 5 * 60_000;

/** One process that tells one story at a time. */
export class Storyteller implements Disposable {
  #child: ChildProcess | null = null;

  async start(): Promise<void> {
    const child = fork(PROGRAM, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#child = child;
    await this.#messageOf(child, STORY_MAX_MS);
  }

  /** The story of a seed. @returns one that breaks a law where it does not end */
  async tell(seed: number, omissions: Omissions): Promise<Told> {
    const answer = await this.#order({ seed, omissions, isShrunk: false }, STORY_MAX_MS);
    return answer?.told ?? endless(seed);
  }

  /** The shortest story of a seed that breaks the same law. */
  async shrink(told: Told, omissions: Omissions): Promise<Shortest> {
    const order = { seed: told.run.seed, omissions, isShrunk: true };
    return (await this.#order(order, Number.POSITIVE_INFINITY)) ?? { omissions, told };
  }

  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #order(order: Order, longestMs: number): Promise<Shortest | null> {
    if (this.#child === null) {
      await this.start();
    }
    const child = this.#child as ChildProcess;
    child.send(order);
    const answer = await this.#messageOf(child, longestMs);
    if (answer === null) {
      this[Symbol.dispose]();
    }
    return answer as Shortest | null;
  }

  /** @returns null where the process says nothing for so long, or has ended */
  async #messageOf(child: ChildProcess, longestMs: number): Promise<unknown> {
    const ending = new AbortController();
    const { signal } = ending;
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = Number.isFinite(longestMs) ? setTimeout(() => resolve(null), longestMs) : undefined;
    const message = once(child, 'message', { signal }).then(([first]) => first as unknown);
    const exit = once(child, 'exit', { signal }).then(() => null);
    const answer = await Promise.race([message, exit, late]);
    clearTimeout(timer);
    // Whatever is still waited for is not any more, and says so.
    Promise.allSettled([message, exit]);
    ending.abort();
    return answer;
  }
}

function endless(seed: number): Told {
  const violations = [{ law: 'answered' as const, what: `the story does not end within ${STORY_MAX_MS} ms` }];
  const run = {
    seed,
    requests: 0,
    simulated_ms: 0,
    wall_ms: STORY_MAX_MS,
    faults: 0,
    digest: '',
    violations,
  };
  return { run, faults: 0, steps: 0, lines: [] };
}
