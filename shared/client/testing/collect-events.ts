import { setTimeout as sleep } from 'node:timers/promises';
import type { EventView } from '../../contract/events.ts';
import type { Client } from '../client.ts';

/** An event of one type. */
export type EventOf<Type extends EventView['type']> = Extract<EventView, { readonly type: Type }>;

export interface NextEventOptions<Type extends EventView['type']> {
  /** How long to wait; by default what the world was created with. */
  readonly timeoutMs?: number | undefined;
  /** Only an event for which this is true: `({ data }) => data.object.id === payment.id`. */
  readonly where?: ((event: EventOf<Type>) => boolean) | undefined;
}

/**
 * Collects the events of one world. It reads only while somebody waits.
 * @internal
 */
export interface EventCollector {
  /**
   * The oldest event of a type that was not taken before, as soon as there is one.
   * @throws Error that lists the other events, if none comes in time
   */
  next<Type extends EventView['type']>(type: Type, options?: NextEventOptions<Type>): Promise<EventOf<Type>>;
  /** Rejects those that wait. */
  stop(): void;
}

/** Less than the 5 seconds after which vitest and jest end a test. */
const WAIT_MS = 4_000;
const LOOK_EVERY_MS = 50;
const PAGE_MAX = 100;

interface Waiting {
  readonly takes: (event: EventView) => boolean;
  readonly resolve: (event: EventView) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * @param newest the event after which the first one comes; undefined for the beginning of the world
 * @internal
 */
export function collectEvents(
  client: Pick<Client, 'listEvents'>,
  newest: EventView | undefined,
  waitMs = WAIT_MS,
): EventCollector {
  const untaken: EventView[] = [];
  const waiting = new Set<Waiting>();
  let last = newest;
  let isReading = false;

  const handOut = () => {
    for (const one of waiting) {
      const index = untaken.findIndex(one.takes);
      const [event] = index < 0 ? [] : untaken.splice(index, 1);
      if (event !== undefined) {
        waiting.delete(one);
        one.resolve(event);
      }
    }
  };
  const rejectAll = (error: unknown) => {
    for (const one of waiting) {
      one.reject(error);
    }
    waiting.clear();
  };
  /** Reads one page. @returns whether more follow at once */
  const readPage = async (): Promise<boolean> => {
    const { data, has_more } = await client.listEvents({
      after_sequence: last === undefined ? 0 : last.sequence - 1,
      limit: PAGE_MAX,
    });
    if (last !== undefined && data[0]?.id !== last.id) {
      // The world was purged, so its numbers begin anew.
      last = undefined;
      untaken.length = 0;
      return true;
    }
    untaken.push(...data.slice(last === undefined ? 0 : 1));
    last = data.at(-1) ?? last;
    return has_more;
  };
  const read = async () => {
    if (isReading) {
      return;
    }
    isReading = true;
    try {
      while (waiting.size > 0) {
        const hasMore = await readPage();
        handOut();
        if (!hasMore && waiting.size > 0) {
          await sleep(LOOK_EVERY_MS);
        }
      }
    } catch (error) {
      rejectAll(error);
    } finally {
      isReading = false;
    }
  };

  return {
    next: function next<Type extends EventView['type']>(
      type: Type,
      { timeoutMs = waitMs, where = () => true }: NextEventOptions<Type> = {},
    ) {
      // Made here, so that its stack begins with the line of the test.
      const place = new Error();
      Error.captureStackTrace(place, next);
      return new Promise<EventOf<Type>>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(one);
          reject(calledFrom(place, new Error(`No ${type} came within ${timeoutMs} ms. ${listed(untaken)}`)));
        }, timeoutMs);
        const one: Waiting = {
          takes: (event) => event.type === type && where(event as EventOf<Type>),
          resolve: (event) => {
            clearTimeout(timer);
            resolve(event as EventOf<Type>);
          },
          reject: (error) => {
            clearTimeout(timer);
            reject(calledFrom(place, error));
          },
        };
        waiting.add(one);
        // First what is new: after a purge, what was collected before is gone.
        read();
      });
    },
    stop: () => rejectAll(new Error('The test world was ended while a test waited for its next event.')),
  };
}

/**
 * A copy of an error, whose stack begins at the line that waits. What reads events for several that wait was called by
 * none of them, so the error's own stack names no line of a test.
 */
function calledFrom(place: Error, error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const frames = String(place.stack).slice(String(place.stack).indexOf('\n'));
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
