import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../../shared/contract/operation.ts';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { RESOURCE_NAMES } from '../../../shared/domain/resource.ts';
import { LISTS } from '../../../shared/story/lists.ts';
import type { Received } from '../../support/world/api.ts';
import type { History } from './history.ts';

/** Counted from the last response: a request that releases its lease by then has published its events. */
const CURRENT_WITHIN_MS = 30_000;
const POLL_MS = 500;
const RESOURCES_MAX = 40;

type Event = Received<typeof operations.listEvents>['json']['data'][number];

/** The operation that retrieves each kind of resource, by the prefix of its ids. */
const RETRIEVED_BY: ReadonlyMap<string, Operation | undefined> = new Map(
  RESOURCE_NAMES.map((name) => [
    LISTS[name].prefix,
    allOperations.find(({ id }) => id === LISTS[name].getId),
  ]),
);

/**
 * Follows the events of a history's world until they report the statuses that are shown, and inspects them
 * (contract §10).
 * @returns how many there are
 */
export async function inspectEvents(history: History): Promise<number> {
  const { inspection, id } = history;
  const giveUpAtMs = Date.now() + CURRENT_WITHIN_MS;
  for (;;) {
    const events = await follow(history);
    const outdated = await findOutdated(history, events);
    if (outdated !== null && Date.now() < giveUpAtMs) {
      await sleep(POLL_MS);
      continue;
    }
    inspection.that(outdated === null, `no event reports ${outdated} (${id})`);
    for (const [place, { sequence }] of events.entries()) {
      inspection.that(sequence === place + 1, `event ${place + 1} has the number ${sequence} (${id})`);
    }
    const ids = new Set(events.map((event) => event.id));
    inspection.that(ids.size === events.length, `an event exists twice (${id})`);
    for (const [resource, own] of byResource(events)) {
      inspectChain(history, resource, own);
    }
    return events.length;
  }
}

/** All events, by their numbers. */
async function follow(history: History): Promise<Event[]> {
  const all: Event[] = [];
  let after = 0;
  for (let hasMore = true; hasMore; ) {
    const query = { after_sequence: String(after), limit: '100' };
    const { json } = await history.call(operations.listEvents, { query });
    all.push(...json.data);
    after = Number(json.next_sequence);
    hasMore = json.has_more;
  }
  return all;
}

function byResource(events: readonly Event[]): Map<string, Event[]> {
  return Map.groupBy(events, ({ data }) => String(data.object.id));
}

/** A resource whose last event reports another status than is shown; null if there is none. */
async function findOutdated(history: History, events: readonly Event[]): Promise<string | null> {
  for (const [id, own] of [...byResource(events)].slice(0, RESOURCES_MAX)) {
    const row = RETRIEVED_BY.get(id.slice(0, 3));
    if (row === undefined) {
      continue;
    }
    const { json } = await history.call(row, { params: { id } });
    const shown = json as unknown as { status: string; late?: boolean };
    const sent = own.at(-1)?.data.object as { status: string; late?: boolean };
    if (sent.status !== shown.status || sent.late !== shown.late) {
      return `${id}, which is ${shown.status} and was ${sent.status}`;
    }
  }
  return null;
}

/** Each event continues from the status of the one before, and none goes back in time. */
function inspectChain({ inspection, id }: History, resource: string, events: readonly Event[]): void {
  let before: string | null = null;
  let beforeMs = 0;
  for (const { type, timestamp, data } of events) {
    const { status } = data.object as { status: string };
    inspection.that(
      (data.previous_status ?? null) === before,
      `${type} of ${resource} came from ${data.previous_status}, and not from ${before} (${id})`,
    );
    inspection.that(Date.parse(timestamp) >= beforeMs, `${type} of ${resource} goes back in time (${id})`);
    before = status;
    beforeMs = Date.parse(timestamp);
  }
}
