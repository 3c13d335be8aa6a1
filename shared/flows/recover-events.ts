import { MINUTE_MS } from '../domain/clock.ts';
import { type Endpoint, isSubscribed, subscribesTo } from '../domain/endpoint.ts';
import { partsOf } from '../domain/id.ts';
import type { SequenceRange } from '../domain/job.ts';
import type { PublishedEvent } from '../domain/published-event.ts';
import { readDelivered } from '../store/events/delivery.ts';
import { followEvents, nextSequence } from '../store/events/event-log.ts';
import { readJobs } from '../store/scheduler/job.ts';
import { queuePk } from '../store/table/keys.ts';
import type { StoredWorld } from '../store/worlds/world.ts';

/** How many events one call queues at most (contract §14). */
const RECOVERED_MAX = 10_000;
/** How many events one call reads at most. */
const LOOKED_AT_MAX = 30_000;
const PAGE = 1_000;
/** How many ranges one job holds at most: some kilobytes. */
const RANGES_MAX = 500;
/** How many events one transaction queues, beside the job that continues: DynamoDB allows 100 writes. */
const QUEUED_AT_ONCE = 50;
/** Events are numbered a moment after they happen, and those of different resources in any order. */
const DISORDER_MS = 10 * MINUTE_MS;

interface MissedEvents {
  readonly ranges: readonly SequenceRange[];
  readonly count: number;
  /** Where the next call continues, on the merchant's clock; null if nothing is left. */
  readonly nextSinceMs: number | null;
}

/**
 * The subscribed events since an instant that an endpoint has not received and that are not queued for it, as many as
 * one call queues. No range of sequence numbers holds other subscribed events. The job that queues them reads them.
 * @param sinceMs on the merchant's clock
 */
export async function findMissed(
  world: StoredWorld,
  endpoint: Endpoint,
  sinceMs: number,
): Promise<MissedEvents> {
  // Read before the log of deliveries, which then has every attempt that has left the queue.
  const isWaiting = await readWaiting(world, endpoint);
  const { eventIds, completeUntilMs } = await readDelivered(world, endpoint.id, sinceMs);
  const ranges: SequenceRange[] = [];
  let open: SequenceRange | null = null;
  let [count, looked] = [0, 0];
  let after = await lastBefore(world, sinceMs - DISORDER_MS);
  const end = (nextSinceMs: number | null): MissedEvents => ({
    ranges: open === null ? ranges : [...ranges, open],
    count,
    nextSinceMs,
  });
  for (;;) {
    const page = await followEvents(world, { limit: PAGE, afterSequence: after });
    const { events, hasMore } = page;
    for (const event of events) {
      const { id, sequence } = event;
      const { atMs } = partsOf(id);
      if (atMs < sinceMs || !subscribesTo(endpoint, event)) {
        continue;
      }
      if (count === RECOVERED_MAX || ranges.length === RANGES_MAX || atMs > completeUntilMs) {
        return end(atMs);
      }
      if (eventIds.has(id) || isWaiting(event)) {
        ranges.push(...(open === null ? [] : [open]));
        open = null;
      } else {
        open = [open?.[0] ?? sequence, sequence];
        count += 1;
      }
    }
    looked += events.length;
    const last = events.at(-1);
    if (!hasMore || last === undefined) {
      return end(null);
    }
    if (looked >= LOOKED_AT_MAX) {
      return end(Math.max(partsOf(last.id).atMs, sinceMs));
    }
    after = page.nextSequence;
  }
}

/** Reads the queue of an endpoint. @returns whether an event is queued there and will be sent */
async function readWaiting(
  world: StoredWorld,
  endpoint: Endpoint,
): Promise<(event: PublishedEvent) => boolean> {
  const jobs = await readJobs([queuePk(world, endpoint.id)]);
  const attempts = jobs.flatMap((job) =>
    job.kind === 'deliver-event' && job.isRedelivery !== true ? [job] : [],
  );
  const byEvent = Map.groupBy(attempts, ({ eventId }) => eventId);
  return (event) =>
    (byEvent.get(event.id) ?? []).some(({ recoveredAtMs }) => isSubscribed(endpoint, event, recoveredAtMs));
}

/** A sequence number that is less than that of every event since an instant. */
async function lastBefore(world: StoredWorld, atMs: number): Promise<number> {
  let [low, high] = [0, (await nextSequence(world)) - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { events } = await followEvents(world, { limit: 1, afterSequence: middle });
    const [first] = events;
    if (first === undefined || partsOf(first.id).atMs >= atMs) {
      high = middle;
    } else {
      low = first.sequence;
    }
  }
  return low;
}

/** The first subscribed events of ranges, to be queued together, and the rest of the ranges. */
export async function takeFromRanges(
  world: StoredWorld,
  endpoint: Endpoint,
  [range, ...others]: readonly SequenceRange[],
): Promise<{ readonly events: readonly PublishedEvent[]; readonly left: readonly SequenceRange[] }> {
  if (range === undefined) {
    return { events: [], left: [] };
  }
  const [first, last] = range;
  const page = await followEvents(world, { limit: QUEUED_AT_ONCE, afterSequence: first - 1 });
  const { events, hasMore, nextSequence: next } = page;
  const within = events.filter((event) => event.sequence <= last && subscribesTo(endpoint, event));
  const isOver = !hasMore || next >= last;
  return { events: within, left: isOver ? others : [[next + 1, last], ...others] };
}
