import type { Delivery } from '../domain/delivery.ts';
import { firstIdAt, isAnyId, isId, partsOf } from '../domain/id.ts';
import { DELIVERY_KEPT_DAYS, endOfKeeping } from '../domain/retention.ts';
import type { World } from '../domain/world.ts';
import { foreignCursor, found } from '../errors/problem.ts';
import { callTable } from './client.ts';
import type { Write } from './commit.ts';
import { readEventsAt } from './event-log.ts';
import { isPastEnd, put, queryOf, queryPages, type StoredItem, type Where } from './item.ts';
import { deliveryKey, deliveryPks, type In } from './keys.ts';
import type { ListPage, PageRequest } from './list.ts';
import { pack, unpack } from './packed.ts';
import { TABLE } from './table.ts';

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
  const items = key === null ? [] : await newestOf(key.pk, ['sk <= :sk', id], 1);
  const attempts = items.filter((item) => !isPastEnd(item)).flatMap(deliveriesOf);
  return attempts.find((attempt) => attempt.id === id) ?? null;
}

/** One page of an endpoint's delivery log, newest first. The cursor holds the id of the page's last attempt. */
export async function listDeliveries(
  world: World,
  endpointId: string,
  { limit, after: cursor }: PageRequest,
): Promise<ListPage<LoggedDelivery>> {
  const after = cursor && Buffer.from(cursor, 'base64url').toString();
  if (after !== undefined && !isId('dlv', after)) {
    throw foreignCursor();
  }
  const before: Where | undefined = after === undefined ? undefined : ['sk < :sk', after];
  const shards = await Promise.all(
    deliveryPks(world, endpointId).map((pk) => newestOf(pk, before, limit + 1)),
  );
  const attempts = shards
    .flat()
    .filter((item) => !isPastEnd(item))
    .flatMap(deliveriesOf)
    .filter(({ id }) => after === undefined || id < after)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const page = attempts.slice(0, limit);
  const logged = page.filter(({ body }) => body === undefined);
  const events = await readEventsAt(world, ...logged.map(({ place }) => place));
  const bodies = new Map(events.map(({ sequence, body }) => [sequence, body]));
  const last = attempts.length > limit ? page.at(-1) : undefined;
  return {
    // An event is kept longer than its deliveries.
    data: page.map((attempt) => ({ ...attempt, body: attempt.body ?? bodies.get(attempt.sequence) ?? '' })),
    nextCursor: last === undefined ? null : Buffer.from(last.id).toString('base64url'),
  };
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

/** The newest items of one shard. */
async function newestOf(
  pk: In<'DELIVERIES'>,
  where: Where | undefined,
  limit: number,
): Promise<StoredItem[]> {
  const answer = await callTable('Query', {
    ...queryOf(pk, where),
    ScanIndexForward: false,
    Limit: limit,
  });
  return answer.Items ?? [];
}

function deliveriesOf(item: StoredItem): Delivery[] {
  return JSON.parse(unpack(item.data as Uint8Array)) as Delivery[];
}
