import type { EventView } from '../../contract/events.ts';
import type { Client } from '../client.ts';
import { startTimer, stopTimer } from '../real-timers.ts';

/** An event of one type. */
export type EventOf<Type extends EventView['type']> = Extract<EventView, { readonly type: Type }>;

export interface NextEventOptions<Type extends EventView['type']> {
  /** How long to wait; by default what the world was created with. */
  readonly timeoutMs?: number | undefined;
  /** Only an event for which this is true: `({ data }) => data.object.id === payment.id`. */
  readonly where?: ((event: EventOf<Type>) => boolean) | undefined;
}

/** Less than the 5 seconds after which vitest and jest end a test. @internal */
export const WAIT_MS = 4_000;
const LOOK_EVERY_MS = 50;
const PAGE_MAX = 100;

interface Waiting {
  readonly takes: (event: EventView) => boolean;
  readonly resolve: (event: EventView) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the events of one world. It reads only while somebody waits.
 * @internal
 */
export class EventCollector {
  readonly #client: Pick<Client, 'listEvents'>;
  readonly #waitMs: number;
  readonly #untaken: EventView[] = [];
  readonly #waiting = new Set<Waiting>();
  #last: EventView | undefined;
  #isReading = false;

  /** @param newest the event after which the first one comes; undefined for the beginning of the world */
  constructor(client: Pick<Client, 'listEvents'>, newest: EventView | undefined, waitMs = WAIT_MS) {
    this.#client = client;
    this.#last = newest;
    this.#waitMs = waitMs;
  }

  /**
   * The oldest event of a type that was not taken before, as soon as there is one. It may be handed out as a function.
   * @throws Error that lists the other events, if none comes in time
   */
  readonly next = <Type extends EventView['type']>(
    type: Type,
    { timeoutMs = this.#waitMs, where = () => true }: NextEventOptions<Type> = {},
  ): Promise<EventOf<Type>> => {
    // Made here, so that its stack begins with the line of the test.
    const caller = new Error();
    Error.captureStackTrace(caller, this.next);
    return new Promise<EventOf<Type>>((resolve, reject) => {
      const timer = startTimer(() => {
        this.#waiting.delete(one);
        const late = new Error(`No ${type} came within ${timeoutMs} ms. ${listed(this.#untaken)}`);
        reject(calledFrom(caller, late));
      }, timeoutMs);
      const one: Waiting = {
        takes: (event) => event.type === type && where(event as EventOf<Type>),
        resolve: (event) => {
          stopTimer(timer);
          resolve(event as EventOf<Type>);
        },
        reject: (error) => {
          stopTimer(timer);
          reject(calledFrom(caller, error));
        },
      };
      this.#waiting.add(one);
      // First what is new: after a purge, what was collected before is gone.
      void this.#read();
    });
  };

  /** Rejects those that wait. */
  stop(): void {
    this.#rejectAll(new Error('The test world was ended while a test waited for its next event.'));
  }

  async #read(): Promise<void> {
    if (this.#isReading) {
      return;
    }
    this.#isReading = true;
    try {
      while (this.#waiting.size > 0) {
        const hasMore = await this.#readPage();
        this.#handOut();
        if (!hasMore && this.#waiting.size > 0) {
          await new Promise<void>((resolve) => startTimer(resolve, LOOK_EVERY_MS));
        }
      }
    } catch (error) {
      this.#rejectAll(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads one page. @returns whether more follow at once */
  async #readPage(): Promise<boolean> {
    const last = this.#last;
    const { data, has_more } = await this.#client.listEvents({
      after_sequence: last === undefined ? 0 : last.sequence - 1,
      limit: PAGE_MAX,
    });
    if (last !== undefined && data[0]?.id !== last.id) {
      // The world was purged, so its numbers begin anew.
      this.#last = undefined;
      this.#untaken.length = 0;
      return true;
    }
    this.#untaken.push(...data.slice(last === undefined ? 0 : 1));
    this.#last = data.at(-1) ?? last;
    return has_more;
  }

  #handOut(): void {
    for (const one of this.#waiting) {
      const index = this.#untaken.findIndex(one.takes);
      const [event] = index < 0 ? [] : this.#untaken.splice(index, 1);
      if (event !== undefined) {
        this.#waiting.delete(one);
        one.resolve(event);
      }
    }
  }

  #rejectAll(error: unknown): void {
    for (const one of this.#waiting) {
      one.reject(error);
    }
    this.#waiting.clear();
  }
}

/**
 * A copy of an error, whose stack begins at the line that waits. What reads events for several that wait was called by
 * none of them, so the error's own stack names no line of a test.
 */
function calledFrom(caller: Error, error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const frames = String(caller.stack).slice(String(caller.stack).indexOf('\n'));
  const { stack: _, ...own } = Object.getOwnPropertyDescriptors(error);
  const copy = Object.setPrototypeOf(new Error(), Object.getPrototypeOf(error));
  return Object.assign(Object.defineProperties(copy, own), {
    stack: `${error.name}: ${error.message}${frames}`,
  });
}

function listed(events: readonly EventView[]): string {
  const lines = events.map(({ type, data }) => `${type} (${data.object.id})`);
  return lines.length === 0 ? 'No other event came.' : `What came and was not taken: ${lines.join(', ')}.`;
}
