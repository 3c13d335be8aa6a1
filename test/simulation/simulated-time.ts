import { AsyncLocalStorage } from 'node:async_hooks';

const nextTick = process.nextTick.bind(process);
/** After so many turns without a scheduled act, nothing more comes of what was begun. */
const TURNS_MAX = 50;

interface Act {
  readonly atMs: number;
  /** Acts of one instant run in the order in which they were scheduled. */
  readonly order: number;
  readonly run: () => void;
}

/** A process of the service: what one call of a function is to Lambda. */
export class SimulatedProcess {
  readonly name: string;
  /** How far its clock is ahead of the simulated time, in milliseconds. */
  readonly skewMs: number;
  /** What its modules keep between calls hangs on this. */
  readonly memory: object;
  /** Until then it does nothing, as a process that the machine has paused. */
  frozenUntilMs = 0;
  /** How long it was paused in all: its own timers know nothing of it. */
  frozenMs = 0;
  #isDead = false;
  readonly #onDeath: (() => void)[] = [];

  /** How many calls of the store it has made. */
  storeCalls = 0;

  constructor(name: string, skewMs: number, memory: object) {
    this.name = name;
    this.skewMs = skewMs;
    this.memory = memory;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** One that is frozen already goes on when both times are over. */
  freeze(nowMs: number, ms: number): void {
    const untilMs = Math.max(this.frozenUntilMs, nowMs + ms);
    this.frozenMs += untilMs - Math.max(this.frozenUntilMs, nowMs);
    this.frozenUntilMs = untilMs;
  }

  /** Nothing that it waits for comes any more. */
  die(): void {
    if (!this.#isDead) {
      this.#isDead = true;
      for (const tell of this.#onDeath) {
        tell();
      }
    }
  }

  onDeath(tell: () => void): void {
    this.#onDeath.push(tell);
  }
}

const processes = new AsyncLocalStorage<SimulatedProcess>();

/** The process whose code runs; undefined outside of the service. */
export function currentProcess(): SimulatedProcess | undefined {
  return processes.getStore();
}

export function runIn<T>(process: SimulatedProcess | undefined, act: () => T): T {
  if (processes.getStore() === process) {
    return act();
  }
  return process === undefined ? processes.exit(act) : processes.run(process, act);
}

/** Time that passes from one scheduled act to the next, and stands still meanwhile. */
export class SimulatedTime {
  nowMs: number;
  readonly #heap: Act[] = [];
  #order = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Schedules an act of the current process: it is dropped where that is dead, and waits where it is frozen. */
  after(ms: number, act: () => void): { cancel(): void } {
    const process = currentProcess();
    let isCanceled = false;
    const run = () => {
      if (isCanceled || process?.isDead === true) {
        return;
      }
      if (process !== undefined && process.frozenUntilMs > this.nowMs) {
        this.#push(process.frozenUntilMs, run);
        return;
      }
      runIn(process, act);
    };
    this.#push(this.nowMs + Math.max(Math.floor(ms), 0), run);
    return {
      cancel: () => {
        isCanceled = true;
      },
    };
  }

  /** Ends once `ms` have passed. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Ends once `ms` have passed, or something is called off. */
  pauseUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Runs act by act until something is done. @throws Error where nothing is scheduled before that */
  async until<T>(done: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    done.then(end, end);
    await this.#settle();
    for (let turns = 0; !isDone; ) {
      const next = this.#pop();
      if (next === undefined) {
        turns += 1;
        if (turns > TURNS_MAX) {
          throw new Error('the simulated world waits for something that never comes');
        }
      } else {
        turns = 0;
        this.nowMs = Math.max(this.nowMs, next.atMs);
        next.run();
      }
      await this.#settle();
    }
    return done;
  }

  /** Lets everything go on that waits for nothing scheduled. */
  #settle(): Promise<void> {
    return new Promise((resolve) => nextTick(() => nextTick(() => nextTick(resolve))));
  }

  #push(atMs: number, run: () => void): void {
    const heap = this.#heap;
    const act = { atMs, order: this.#order, run };
    this.#order += 1;
    let at = heap.length;
    heap.push(act);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent] as Act, act)) {
        break;
      }
      heap[at] = heap[parent] as Act;
      at = parent;
    }
    heap[at] = act;
  }

  #pop(): Act | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) {
      return first;
    }
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) {
        break;
      }
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Act, heap[child] as Act)) {
        child += 1;
      }
      if (isBefore(last, heap[child] as Act)) {
        break;
      }
      heap[at] = heap[child] as Act;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Act, other: Act): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
