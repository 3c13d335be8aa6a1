import { mapLimit } from '../concurrency/map-limit.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { DomainEvent } from '../domain/event.ts';
import type { LoggedRequest } from '../domain/logged-request.ts';
import type { World } from '../domain/world.ts';
import { pagesSince } from './events/delivery.ts';
import { readEndpoints } from './events/endpoint.ts';
import { readEventsOfEntry } from './events/event-log.ts';
import { readOutboxOf, rewriteEntry } from './events/outbox.ts';
import { savedResponseKey } from './requests/claim.ts';
import { commit, writeOne } from './table/commit.ts';
import { getItems } from './table/get-items.ts';
import { indexPages } from './table/index-entries.ts';
import { queryPartition, type StoredItem, update } from './table/item.ts';
import { deliveryPks, requestPks, resourceEventsPk } from './table/keys.ts';
import { pack, unpack } from './table/packed.ts';

/*
 * Changes what was written about a resource. Each function returns how many things it has changed. What another call
 * changes meanwhile stays as that call left it: call again until nothing is found.
 */

/** Returns null for what stays as it is. */
export type Rewrite<Stored> = (stored: Stored) => Stored | null;

const UPDATES_AT_ONCE = 10;
const SHARDS_AT_ONCE = 10;

/**
 * Rewrites the events of a resource that wait in the outbox. Those that have a number and are not published yet count
 * too, and stay: a runner may store them at any moment as they were.
 */
export async function rewriteOutbox(
  world: World,
  resourceId: string,
  rewrite: Rewrite<DomainEvent>,
): Promise<number> {
  const entries = await readOutboxOf(world, resourceId);
  return sumAtOnce(UPDATES_AT_ONCE, entries, async (entry) => {
    const { count, all } = rewriteEach(entry.events, rewrite);
    const { firstSequence, key } = entry;
    if (
      count > 0 &&
      (firstSequence === null || (await readEventsOfEntry(world, firstSequence, key.sk)) !== null)
    ) {
      await commit([rewriteEntry(entry, all)]);
    }
    return count;
  });
}

/** Rewrites the published events of a resource, each a JSON text. */
export async function rewriteEvents(
  world: World,
  resourceId: string,
  rewrite: Rewrite<string>,
): Promise<number> {
  let sum = 0;
  const pk = resourceEventsPk(world, resourceId);
  for await (const entries of indexPages({ index: 'related', pk, limit: 100 })) {
    sum += await updateEach(await getItems(entries), 'data', (text) => {
      const { count, all } = rewriteEach(text.split('\n'), rewrite);
      return { count, text: all.join('\n') };
    });
  }
  return sum;
}

/** Rewrites the responses that are saved for replays of these keys. */
export async function rewriteResponses(
  world: World,
  idempotencyKeys: ReadonlySet<string>,
  rewrite: Rewrite<string>,
): Promise<number> {
  const saved = await getItems([...idempotencyKeys].map((key) => savedResponseKey(world, key)));
  const completed = saved.filter(({ savedResponse }) => savedResponse !== undefined);
  return updateEach(completed, 'savedResponse', (text) => {
    const next = rewrite(text);
    return { count: next === null ? 0 : 1, text: next ?? text };
  });
}

/** Rewrites all logged attempts since an instant, on the merchant's clock: no index leads to those of one resource. */
export async function rewriteDeliveries(
  world: World,
  sinceMs: number,
  rewrite: Rewrite<Delivery>,
): Promise<number> {
  const pks = (await readEndpoints(world)).flatMap((endpoint) => deliveryPks(world, endpoint.id));
  return sumAtOnce(SHARDS_AT_ONCE, pks, async (pk) => {
    let sum = 0;
    for await (const { Items = [] } of pagesSince(pk, sinceMs)) {
      sum += await updateEach(Items, 'data', (text) => {
        const { count, all } = rewriteEach(JSON.parse(text) as Delivery[], rewrite);
        return { count, text: JSON.stringify(all) };
      });
    }
    return sum;
  });
}

/** Rewrites all logged requests. */
export function rewriteRequests(world: World, rewrite: Rewrite<LoggedRequest>): Promise<number> {
  return sumAtOnce(SHARDS_AT_ONCE, requestPks(world), async (pk) =>
    updateEach(await queryPartition(pk), 'data', (text) => {
      const next = rewrite(JSON.parse(text) as LoggedRequest);
      return { count: next === null ? 0 : 1, text: next === null ? text : JSON.stringify(next) };
    }),
  );
}

function rewriteEach<Stored>(stored: readonly Stored[], rewrite: Rewrite<Stored>) {
  const next = stored.map(rewrite);
  return {
    count: next.filter((one) => one !== null).length,
    all: stored.map((one, nth) => next[nth] ?? one),
  };
}

/** Rewrites a packed attribute of each item, if it is still as it was read. */
function updateEach(
  items: readonly StoredItem[],
  name: string,
  rewrite: (text: string) => { readonly text: string; readonly count: number },
): Promise<number> {
  return sumAtOnce(UPDATES_AT_ONCE, items, async (item) => {
    const read = item[name] as Uint8Array;
    const { text, count } = rewrite(unpack(read));
    if (count === 0) {
      return 0;
    }
    await writeOne(
      update({ pk: String(item.pk), sk: String(item.sk) }, 'SET #name = :next', {
        condition: '#name = :read',
        names: { '#name': name },
        values: { ':next': pack(text), ':read': read },
      }),
    );
    return count;
  });
}

async function sumAtOnce<Thing>(
  atOnce: number,
  things: readonly Thing[],
  count: (thing: Thing) => Promise<number>,
): Promise<number> {
  return (await mapLimit(atOnce, things, count)).reduce((sum, one) => sum + one, 0);
}
