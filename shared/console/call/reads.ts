import type { BodyOf, CallInput, OperationId } from '../../story/operation-id.ts';
import type { BodyReader, Pace, ReadRequest } from '../../story/read-request.ts';
import type { GateResponse } from './gate.ts';

/** What a read has brought so far. */
export interface ReadState<Body = unknown> {
  /** The latest response, with whatever status; null before the first. */
  readonly response: GateResponse<Body> | null;
  /** Why no response came, in a text for the user. */
  readonly failure: string | null;
}

interface ReadParts {
  readonly call: (operationId: OperationId, input: CallInput) => Promise<GateResponse>;
  /** Whether anything may be requested now: connected, and the page is visible. */
  readonly isActive: () => boolean;
  /** Called with every response, under the name of its read. */
  readonly onResponse: (name: string, response: GateResponse) => void;
}

interface CachedRead {
  readonly name: string;
  readonly request: ReadRequest;
  /** Each with the pace that it asks for. */
  readonly listeners: Map<() => void, Pace>;
  state: ReadState;
  /** Raised by every request: a response of an earlier one is dropped, since it may be older than a change. */
  generation: number;
  /** Requests that have no response yet. */
  waiting: number;
}

const POLL_MS = 4_000;
const POLL_MAX_MS = 60_000;
/** What is calm is read every third time. */
const CALM_ROUNDS = 3;
/** The most reads that are kept after nothing shows them any more. */
const KEPT_MAX = 40;
export const NOTHING: ReadState<never> = { response: null, failure: null };

/** The cache of what the page reads. What is shown is read every few seconds. */
export class Reads {
  readonly #parts: ReadParts;
  readonly #entries = new Map<string, CachedRead>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = POLL_MS;
  #isPaused = false;
  #rounds = 0;
  /** What has changed since the last round. */
  #changes: ((request: ReadRequest) => boolean)[] = [];

  constructor(parts: ReadParts) {
    this.#parts = parts;
  }

  peek<Id extends OperationId>(request: ReadRequest<Id>): ReadState<BodyOf<Id>> {
    return (this.#entries.get(nameOf(request))?.state ?? NOTHING) as ReadState<BodyOf<Id>>;
  }

  /** What a read has brought; null if it is not there yet, or was refused. */
  readonly bodyOf = ((request: ReadRequest) => this.peek(request).response?.body ?? null) as BodyReader;

  /** Reads now and then at its pace, until the returned function is called. */
  subscribe(request: ReadRequest, listener: () => void): () => void {
    const name = nameOf(request);
    const entry = this.#entries.get(name) ?? {
      name,
      request,
      listeners: new Map(),
      state: NOTHING,
      generation: 0,
      waiting: 0,
    };
    this.#entries.set(name, entry);
    entry.listeners.set(listener, request.pace ?? 'lively');
    if (entry.listeners.size === 1 && this.#parts.isActive()) {
      void this.#ask(entry);
    }
    if (this.#timer === undefined) {
      this.#schedule();
    }
    return () => {
      entry.listeners.delete(listener);
      this.#dropUnused();
    };
  }

  /** Reads at once what is shown, after something has changed. @param concerns what the change may concern; by default all */
  refresh(concerns: (request: ReadRequest) => boolean = () => true): void {
    this.#changes.push(concerns);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#askDue(), 0);
  }

  async #askDue(): Promise<void> {
    if (!this.#parts.isActive()) {
      this.#timer = undefined;
      return;
    }
    const own = this.#timer;
    const due = [...this.#entries.values()].filter(this.#dueNow());
    const results = await Promise.all(due.map((entry) => this.#ask(entry)));
    this.#pauseMs = results.every(Boolean) ? POLL_MS : Math.min(2 * this.#pauseMs, POLL_MAX_MS);
    if (this.#timer === own) {
      this.#schedule();
    }
  }

  /** After a change, what it concerns; else what is due by its pace or has no response, unless one is on its way. */
  #dueNow(): (entry: CachedRead) => boolean {
    const changed = this.#changes;
    this.#changes = [];
    if (changed.length > 0) {
      return ({ listeners, request }) => listeners.size > 0 && changed.some((concerns) => concerns(request));
    }
    this.#rounds += 1;
    const isCalmRound = this.#rounds % CALM_ROUNDS === 0;
    return ({ listeners, state, waiting }) =>
      listeners.size > 0 &&
      waiting === 0 &&
      (state.response === null ||
        [...listeners.values()].some((pace) => pace === 'lively' || (pace === 'calm' && isCalmRound)));
  }

  /** False if the service asks to slow down, or does not respond. */
  async #ask(entry: CachedRead): Promise<boolean> {
    entry.generation += 1;
    entry.waiting += 1;
    const { generation, request } = entry;
    const isCurrent = () => entry.generation === generation;
    try {
      const { operationId, pace: _, ...input } = request;
      const response = await this.#parts.call(operationId, input);
      if (isCurrent()) {
        this.#parts.onResponse(entry.name, response);
        this.#publish(entry, { response, failure: null });
      }
      return response.status !== 429 && response.status < 500;
    } catch (error) {
      if (isCurrent()) {
        this.#publish(entry, {
          ...entry.state,
          failure: error instanceof Error ? error.message : String(error),
        });
      }
      return false;
    } finally {
      entry.waiting -= 1;
    }
  }

  #publish(entry: CachedRead, state: ReadState): void {
    const { response, failure } = entry.state;
    const isSame =
      response?.text === state.response?.text &&
      response?.status === state.response?.status &&
      failure === state.failure;
    if (!isSame) {
      entry.state = state;
      for (const listener of entry.listeners.keys()) {
        listener();
      }
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#isPaused ? undefined : setTimeout(() => this.#askDue(), this.#pauseMs);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Stops reading by itself, or goes on. Changes are still shown. */
  pause(isStopped: boolean): void {
    this.#isPaused = isStopped;
    if (isStopped) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else {
      this.refresh();
    }
  }

  #dropUnused(): void {
    const unused = [...this.#entries.values()].filter(({ listeners }) => listeners.size === 0);
    for (const { name } of unused.slice(0, -KEPT_MAX)) {
      this.#entries.delete(name);
    }
  }

  /** Forgets everything that was read, and stops reading until the next refresh. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pauseMs = POLL_MS;
    for (const [name, entry] of this.#entries) {
      // A response that is still on its way is dropped.
      entry.generation += 1;
      if (entry.listeners.size === 0) {
        this.#entries.delete(name);
      }
      this.#publish(entry, NOTHING);
    }
  }
}

function nameOf({ operationId, params, query }: ReadRequest): string {
  return JSON.stringify([operationId, params ?? {}, query ?? {}]);
}
