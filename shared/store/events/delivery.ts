import { mapLimit } from '../../concurrency/map-limit.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { firstIdAt, isAnyId, isId, partsOf } from '../../domain/id.ts';
import type { PublishedEvent } from '../../domain/published-event.ts';
import { DELIVERY_KEPT_DAYS, endOfKeeping } from '../../domain/retention.ts';
import type { World } from '../../domain/world.ts';
import { foreignCursor, found } from '../../errors/problem.ts';
import type { Write } from '../table/commit.ts';
import {
  isPastEnd,
  put,
  queryNewest,
  queryOf,
  queryPages,
  type StoredItem,
  type Where,
} from '../table/item.ts';
import { deliveryKey, deliveryPks, type In } from '../table/keys.ts';
import type { ListPage, PageRequest } from '../table/list.ts';
import { pack, unpack } from '../table/packed.ts';
import { TABLE } from '../table/table.ts';
import { readEventsAt } from './event-log.ts';

/** An attempt with its request body, the event's body. */
export type LoggedDelivery = Delivery & { readonly body: string };

/**
 * Logs attempts to deliver to an endpoint that were made at one instant, in the order of their ids. Attempts that are
 * repeated after a crash have the same ids, so that the log has them once.
 * @throws Error where there is none
 */
export function logDeliveries(world: World, deliveries: readonly Delivery[], realNowMs: number): Write {
  const [first] = deliveries;
  if (first === undefined) {
    throw new Error('an entry of the log has at least one attempt');
  }
  const { endpointId, id } = first;
  return put({
    ...deliveryKey(world, endpointId, id),
    [TABLE.ttl]: endOfKeeping(DELIVERY_KEPT_DAYS, realNowMs),
    data: pack(JSON.stringify(deliveries)),
  });
}

/** @throws Problem `delivery_not_found` */
export async function getDelivery(world: World, endpointId: string, id: string): Promise<Delivery> {
  return found(await findDelivery(world, endpointId, id), 'delivery_not_found');
}

/** The attempt of an id, or null. Texts that cannot be such ids are not looked up. */
export async function findDelivery(world: World, endpointId: string, id: string): Promise<Delivery | null> {
  const key = isId('dlv', id) && isAnyId(endpointId) ? deliveryKey(world, endpointId, id) : null;
  const { items } = key === null ? { items: [] } : await queryNewest(key.pk, ['sk <= :sk', id], 1);
  const attempts = items.filter((item) => !isPastEnd(item)).flatMap(deliveriesOf);
  return attempts.find((attempt) => attempt.id === id) ?? null;
}

/** One page of an endpoint's delivery log, newest first. The cursor holds the id of the page's last attempt. */
export async function listDeliveries(
  world: World,
  endpointId: string,
  { limit, after: cursor }: PageRequest,
): Promise<ListPage<LoggedDelivery>> {
  const after = readCursor(cursor);
  const shards = await Promise.all(
    deliveryPks(world, endpointId).map((pk) => queryNewest(pk, beforeId(after), limit + 1)),
  );
  const attempts = attemptsBefore(
    after,
    shards.flatMap(({ items }) => items),
  );
  const page = attempts.slice(0, limit);
  const logged = page.filter(({ body }) => body === undefined);
  const events = await readEventsAt(world, ...logged.map(({ firstSequence }) => firstSequence));
  const bodies = new Map(events.map(({ sequence, body }) => [sequence, body]));
  const last = attempts.length > limit ? page.at(-1) : undefined;
  return {
    // An event is kept longer than its deliveries.
    data: page.map((attempt) => ({ ...attempt, body: attempt.body ?? bodies.get(attempt.sequence) ?? '' })),
    nextCursor: cursorOf(last?.id),
  };
}

/** The most items of each shard of a log that a page of an event's deliveries reads. */
const SEARCHED_ITEMS_MAX = 200;
const SHARDS_AT_ONCE = 32;
/** Sorts after every id. */
const LAST_ID = 'dlv_~';

/**
 * One page of the attempts to deliver an event to any of these endpoints, newest first. What it reads is limited, so a
 * page may be short although more follow.
 */
export async function listEventDeliveries(
  world: World,
  { id: eventId, body }: Pick<PublishedEvent, 'id' | 'body'>,
  endpoints: readonly Pick<Endpoint, 'id'>[],
  { limit, after: cursor }: PageRequest,
): Promise<ListPage<LoggedDelivery>> {
  const after = readCursor(cursor);
  // No attempt is older than its event.
  const oldest = firstIdAt('dlv', partsOf(eventId).atMs);
  const shards = await mapLimit(
    SHARDS_AT_ONCE,
    endpoints.flatMap(({ id }) => deliveryPks(world, id)),
    async (pk) => {
      const since = ['sk BETWEEN :from AND :sk', after ?? LAST_ID, oldest] as const;
      const { items, isEnd } = await queryNewest(pk, since, SEARCHED_ITEMS_MAX);
      const last = isEnd ? oldest : searchedTo(String(items.at(-1)?.sk), after);
      return { attempts: attemptsBefore(after, items), searchedTo: last < oldest ? oldest : last };
    },
  );
  // What a shard has further back may be newer than what another one has shown.
  const searched = shards.map((shard) => shard.searchedTo).reduce((a, b) => (a > b ? a : b), oldest);
  const attempts = shards
    .flatMap((shard) => shard.attempts)
    .filter((attempt) => attempt.eventId === eventId && attempt.id >= searched)
    .toSorted(newestFirst);
  const page = attempts.slice(0, limit);
  const last = attempts.length > limit ? page.at(-1)?.id : searched === oldest ? undefined : searched;
  return { data: page.map((attempt) => ({ ...attempt, body })), nextCursor: cursorOf(last) };
}

/**
 * The id down to which a shard is known after an item that was read last. Others of the same millisecond may hold later
 * ids, so these are read again, unless nothing else was read.
 */
function searchedTo(last: string, after: string | undefined): string {
  const safe = firstIdAt('dlv', partsOf(last).atMs + 1);
  return after === undefined || safe < after ? safe : last;
}

function readCursor(cursor: string | undefined): string | undefined {
  const after = cursor && Buffer.from(cursor, 'base64url').toString();
  if (after !== undefined && !isId('dlv', after)) {
    throw foreignCursor();
  }
  return after;
}

function cursorOf(lastId: string | undefined): string | null {
  return lastId === undefined ? null : Buffer.from(lastId).toString('base64url');
}

function beforeId(after: string | undefined): Where | undefined {
  return after === undefined ? undefined : ['sk < :sk', after];
}

/** The attempts before an id, newest first. */
function attemptsBefore(after: string | undefined, items: readonly StoredItem[]): Delivery[] {
  return items
    .filter((item) => !isPastEnd(item))
    .flatMap(deliveriesOf)
    .filter(({ id }) => after === undefined || id < after)
    .toSorted(newestFirst);
}

function newestFirst(one: Delivery, other: Delivery): number {
  return one.id < other.id ? 1 : -1;
}

/** The events that an endpoint has accepted, with 2xx. */
export interface DeliveredEvents {
  readonly eventIds: ReadonlySet<string>;
  /** Later deliveries were not read, because the log is too long; on the merchant's clock. */
  readonly completeUntilMs: number;
}

/** The most pages, of a megabyte each, that are read of each shard of a log. */
const TAKEN_PAGES_MAX = 5;

/** The events that an endpoint has accepted since an instant, by its log. @param sinceMs on the merchant's clock */
export async function readDelivered(
  world: World,
  endpointId: string,
  sinceMs: number,
): Promise<DeliveredEvents> {
  const shards = await Promise.all(deliveryPks(world, endpointId).map((pk) => readFrom(pk, sinceMs)));
  const attempts = shards.flatMap(({ items }) => items.flatMap(deliveriesOf));
  const taken = attempts.filter(({ status }) => status === 'delivered');
  return {
    eventIds: new Set(taken.map(({ eventId }) => eventId)),
    completeUntilMs: Math.min(...shards.map(({ completeUntilMs }) => completeUntilMs)),
  };
}

async function readFrom(pk: In<'DELIVERIES'>, sinceMs: number) {
  const items: StoredItem[] = [];
  let pages = 0;
  for await (const { Items = [], LastEvaluatedKey: next } of pagesSince(pk, sinceMs)) {
    items.push(...Items);
    pages += 1;
    if (pages === TAKEN_PAGES_MAX && next !== undefined) {
      return { items, completeUntilMs: partsOf(String(next.sk)).atMs };
    }
  }
  return { items, completeUntilMs: Number.POSITIVE_INFINITY };
}

/** The pages, of a megabyte each, of a shard of a log since an instant, oldest first. */
export function pagesSince(pk: In<'DELIVERIES'>, sinceMs: number) {
  return queryPages(queryOf(pk, ['sk >= :sk', firstIdAt('dlv', sinceMs)]));
}

function deliveriesOf(item: StoredItem): Delivery[] {
  return JSON.parse(unpack(item.data as Uint8Array)) as Delivery[];
}
