import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../shared/client/answer.ts';
import { ConnectionError, ProblemError } from '../../shared/client/call-error.ts';
import type { Client } from '../../shared/client/client.ts';
import type { AnswerOf } from '../../shared/client/method.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';

/* Reads the events of a key's world in order, each once, as contract §10 describes. */

export type Event = AnswerOf<'listEvents'>['data'][number];
type Reader = Pick<Client, 'listEvents'>;

/** The position of the last event that was read; null before the first one of a world. */
export type EventPosition = Pick<Event, 'id' | 'sequence'> | null;

const LOOK_EVERY_MS = 500;
const PAGE_MAX = 100;

/** The position of the newest event, and the id of the world. Later events come after this position. */
export async function positionOfNow(
  client: Reader,
): Promise<{ readonly world: string; readonly position: EventPosition }> {
  let [newest] = (await client.listEvents({ limit: 1 })).data;
  let world = '';
  // The list may lag; reading what follows a sequence number never does.
  const pages = client.listEvents({ after_sequence: newest?.sequence ?? 0, limit: PAGE_MAX }).pages();
  for await (const page of pages) {
    newest = page.data.at(-1) ?? newest;
    world = String(page.world);
  }
  return { world, position: newest === undefined ? null : { id: newest.id, sequence: newest.sequence } };
}

/** The position of the last event that is older than `agoSeconds` on the merchant's clock. */
export async function positionBefore(client: Reader, agoSeconds: number): Promise<EventPosition> {
  let position: EventPosition = null;
  for await (const page of client.listEvents({ limit: PAGE_MAX }).pages()) {
    const sinceMs = Date.parse(answerOf(page).clock ?? new Date().toISOString()) - agoSeconds * SECOND_MS;
    const isOld = ({ timestamp }: Event) => Date.parse(timestamp) < sinceMs;
    for (const event of page.data) {
      position = isOld(event) ? (position ?? { id: event.id, sequence: event.sequence }) : null;
    }
    // A whole page must be old: a job that ran late can make an event with an earlier time than those before it.
    if (page.data.every(isOld)) {
      break;
    }
  }
  return position;
}

/**
 * The events after a position, oldest first, then new ones as they come, until the signal. If the position is gone
 * because the world was purged, starts with the first event that exists.
 * @param say called with a sentence for the reader: the world was purged, the service is unavailable
 * @throws ProblemError if the service refuses; ConnectionError if what responds is not the service, or cannot be read
 */
export async function* followEvents(
  client: Reader,
  position: EventPosition,
  signal: AbortSignal,
  warn: (sentence: string) => void,
): AsyncGenerator<Event> {
  let last = position;
  let next = 0;
  let isAway = false;
  const look = async () => {
    const after_sequence = last === null ? next : last.sequence - 1;
    try {
      const page = await client.listEvents({ after_sequence, limit: PAGE_MAX }, { signal });
      isAway = false;
      return page;
    } catch (error) {
      if (!signal.aborted && !mayComeBack(error)) {
        throw error;
      }
      if (!signal.aborted && !isAway) {
        warn(`${(error as Error).message} Retrying until it responds.`);
      }
      isAway = true;
      return null;
    }
  };
  while (!signal.aborted) {
    const page = await look();
    if (page !== null && last !== null && page.data[0]?.id !== last.id) {
      warn('The world was purged: its new events follow, from the first one on.');
      last = null;
      next = 0;
      continue;
    }
    for (const event of page?.data.slice(last === null ? 0 : 1) ?? []) {
      if (signal.aborted) {
        return;
      }
      yield event;
      last = event;
    }
    next = page?.next_sequence ?? next;
    if (page?.has_more !== true) {
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** What responds with another status than that of a failure responds the same the next time. */
function mayComeBack(error: unknown): boolean {
  const isOfCall = error instanceof ConnectionError || error instanceof ProblemError;
  return isOfCall && (error.status === null || error.status >= 500);
}
