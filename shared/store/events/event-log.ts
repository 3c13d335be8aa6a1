import { MINUTE_MS } from '../../domain/clock.ts';
import { isId, partsOf } from '../../domain/id.ts';
import type { PublishedEvent } from '../../domain/published-event.ts';
import type { EventType } from '../../domain/resource.ts';
import { EVENT_KEPT_DAYS, endOfKeeping } from '../../domain/retention.ts';
import type { World } from '../../domain/world.ts';
import { foreignCursor, found } from '../../errors/problem.ts';
import { packTrace } from '../../telemetry/trace-context.ts';
import { callTable } from '../table/client.ts';
import { type Write, writeOne } from '../table/commit.ts';
import { getItems } from '../table/get-items.ts';
import { queryIndex } from '../table/index-entries.ts';
import { insert, isPastEnd, queryOf, type StoredItem, type Where } from '../table/item.ts';
import { traceOf } from '../table/item-trace.ts';
import {
  eventBlockOf,
  eventsKey,
  eventsPks,
  firstOfEventBlock,
  type In,
  relatedIndex,
  resourceEventsPk,
  sequenceSk,
} from '../table/keys.ts';
import { type ListPage, nextStep, type PageRequest } from '../table/list.ts';
import { pack, unpack } from '../table/packed.ts';
import { TABLE } from '../table/table.ts';
import { type StoredWorld, updateWorld } from '../worlds/world.ts';

/*
 * The published events of a world, in blocks of sequence numbers. An item holds the events of one commit. Its key is
 * the sequence number of the first of them. The key also assigns numbers: of two runners that publish at once, one
 * finds it taken.
 */

/** The most commits that a filtered page looks at, so that its cost does not grow with the data. */
const FILTERED_COMMITS_MAX = 300;
/** More events than one commit has. */
const EVENTS_OF_COMMIT_MAX = 100;
/** The most blocks, without events that are still kept, that a page of following events looks through. */
const FOLLOWED_BLOCKS_MAX = 10;
/**
 * How long, in real time, readers may see only a part of what was published together: far longer than the store takes
 * to write it all, and the difference between clocks.
 */
const GAP_FINAL_AFTER_MS = MINUTE_MS;

/**
 * Stores the events of a commit, unless their number is taken.
 * @param entry the outbox entry that they come from, by its sort key
 * @throws Error where there is none
 */
export function insertEvents(
  world: World,
  events: readonly PublishedEvent[],
  realNowMs: number,
  entry?: string,
): Write {
  const [first] = events;
  if (first === undefined) {
    throw new Error('a commit has at least one event');
  }
  const { firstSequence, resourceId, trace } = first;
  return insert({
    ...eventsKey(world, firstSequence),
    ...relatedIndex(resourceEventsPk(world, resourceId), sequenceSk(firstSequence)),
    [TABLE.ttl]: endOfKeeping(EVENT_KEPT_DAYS, realNowMs),
    ...(entry !== undefined && { entry }),
    ...(trace !== undefined && { trace: packTrace(trace) }),
    // JSON text has no line breaks of its own.
    data: pack(events.map(({ body }) => body).join('\n')),
  });
}

/**
 * The sequence number that the next event gets.
 * @param mayBeLate the read costs half, and may return a number that was just assigned: it is taken then
 */
export async function nextSequence(
  world: StoredWorld,
  { mayBeLate }: { readonly mayBeLate: boolean } = { mayBeLate: false },
): Promise<number> {
  let next = 1;
  for (let block = world.eventBlock ?? 0; ; block += 1) {
    const { items } = await queryBlock(world, block, { limit: 1, mayBeLate });
    const [last] = items;
    if (last === undefined && block !== world.eventBlock) {
      return next;
    }
    if (last === undefined && mayBeLate) {
      // The log has reached this block, but the read does not see it yet.
      return nextSequence(world);
    }
    // Events past their end are gone, or soon will be, in any order. Their numbers are not assigned again.
    next =
      last === undefined || isPastEnd(last)
        ? firstOfEventBlock(block + 1) + EVENTS_OF_COMMIT_MAX
        : endOf(last);
    if (eventBlockOf(next) === block) {
      return next;
    }
  }
}

/** Records in the world where the log ends by now: a hint, which may be late. */
export async function noteEventBlock(world: World, block: number): Promise<void> {
  const isLater = 'attribute_exists(pk) AND (attribute_not_exists(eventBlock) OR eventBlock < :block)';
  await writeOne(updateWorld(world, 'SET eventBlock = :block', isLater, { ':block': block }));
}

/** The event of an id, or null. */
export async function findEvent(world: World, id: string): Promise<PublishedEvent | null> {
  if (!isId('evt', id)) {
    return null;
  }
  const item = await findCommit(world, partsOf(id).order);
  const events = item === undefined || isPastEnd(item) ? [] : eventsOf(item);
  return events.find((event) => event.id === id) ?? null;
}

/** The commit that has the event of a number, or else one before. */
async function findCommit(world: World, sequence: number): Promise<StoredItem | undefined> {
  const block = eventBlockOf(sequence);
  const [inBlock] = (await queryBlock(world, block, { until: sequence, limit: 1 })).items;
  // The events of a commit stay together, so the first of a block may lie at the end of the one before.
  return inBlock === undefined && block > 0
    ? (await queryBlock(world, block - 1, { limit: 1 })).items[0]
    : inBlock;
}

/** @throws Problem `event_not_found` */
export async function getEvent(world: World, id: string): Promise<PublishedEvent> {
  return found(await findEvent(world, id), 'event_not_found');
}

/** The events of the commits with these first numbers. */
export async function readEventsAt(
  world: World,
  ...firstSequences: readonly number[]
): Promise<PublishedEvent[]> {
  const items = await getItems(
    [...new Set(firstSequences)].map((firstSequence) => eventsKey(world, firstSequence)),
  );
  return items.flatMap(eventsOf);
}

/** The events of an outbox entry, if they are stored at this number; null where another's are, or none. */
export async function readEventsOfEntry(
  world: World,
  firstSequence: number,
  entry: string,
): Promise<PublishedEvent[] | null> {
  const [item] = await getItems([eventsKey(world, firstSequence)]);
  return item?.entry === entry ? eventsOf(item) : null;
}

interface EventFilter {
  readonly type?: EventType | undefined;
  readonly resourceId?: string | undefined;
}

/**
 * One page of the events, newest first. With a filter, a page may be short although more pages follow.
 * @throws Problem `validation_failed` for a cursor that this service did not make
 */
export async function listEvents(
  world: StoredWorld,
  { limit, after, type, resourceId }: PageRequest & EventFilter,
): Promise<ListPage<PublishedEvent>> {
  let before = after === undefined ? await nextSequence(world) : parseCursor(after);
  const data: PublishedEvent[] = [];
  let looked = 0;
  let wanted = limit + 1;
  for (;;) {
    const { items, isEnd } =
      resourceId === undefined
        ? await readNewest(world, before, wanted)
        : await readOfResource(world, resourceId, before, wanted);
    const kept = items.findIndex(isPastEnd);
    // What is older is past its end too.
    const events = items
      .slice(0, kept < 0 ? undefined : kept)
      .flatMap((item) => eventsOf(item).toReversed())
      .filter(({ sequence }) => sequence < before);
    const matching = events.filter((event) => type === undefined || event.type === type);
    data.push(...matching.slice(0, limit - data.length));
    const last = data.length === limit ? data.at(-1) : events.at(-1);
    if (last === undefined || (last === events.at(-1) && (isEnd || kept >= 0))) {
      return { data, nextCursor: null };
    }
    looked += items.length;
    if (data.length === limit || type === undefined || looked >= FILTERED_COMMITS_MAX) {
      return { data, nextCursor: Buffer.from(String(last.sequence)).toString('base64url') };
    }
    wanted = Math.min(nextStep(limit, data.length, looked, wanted), FILTERED_COMMITS_MAX - looked);
    before = last.sequence;
  }
}

/** What follows a sequence number. */
export interface EventsAfter {
  readonly events: PublishedEvent[];
  /** The last number that was read; the requested one where nothing follows. */
  readonly nextSequence: number;
  /** Whether more can be read at once. */
  readonly hasMore: boolean;
}

/**
 * The events after a sequence number, oldest first, up to the first number that is not there yet (a consistent read).
 * With a filter, or where many events are gone, a page may be short although more follow.
 */
export async function followEvents(
  world: StoredWorld,
  {
    limit,
    afterSequence: after,
    ...filter
  }: EventFilter & { readonly limit: number; readonly afterSequence: number },
): Promise<EventsAfter> {
  const isFiltered = filter.type !== undefined || filter.resourceId !== undefined;
  const most = isFiltered ? FILTERED_COMMITS_MAX : limit + 1;
  let looked = 0;
  let wanted = limit + 1;
  const events: PublishedEvent[] = [];
  let last = after;
  const page = (hasMore: boolean): EventsAfter => ({ events, nextSequence: last, hasMore });

  // The number may be one in the middle of a commit.
  let partial = after === 0 ? undefined : await findCommit(world, after);
  let block = eventBlockOf(after + 1);
  const endBlock = block + FOLLOWED_BLOCKS_MAX;
  let newest = partial;
  while (block < endBlock) {
    const { items, isEnd } = await queryBlock(world, block, { after: last, limit: wanted });
    const commits = partial === undefined ? items : [partial, ...items];
    for (const item of commits) {
      if (Number(item.sk) > last + 1 && !isGapFinal(item)) {
        return page(false);
      }
      for (const event of isPastEnd(item) ? [] : eventsOf(item)) {
        if (event.sequence > last && events.length === limit) {
          return page(true);
        }
        if (event.sequence > last && matches(event, filter)) {
          events.push(event);
        }
        last = Math.max(last, event.sequence);
      }
      last = Math.max(last, endOf(item) - 1);
    }
    partial = undefined;
    newest = commits.at(-1) ?? newest;
    looked += items.length;
    if (looked >= most || (!isEnd && (!isFiltered || events.length === limit))) {
      return page(true);
    }
    if (isEnd && !goesOn(world, block, newest, last)) {
      return page(false);
    }
    if (isEnd) {
      block += 1;
      newest = undefined;
    }
    wanted = Math.min(isFiltered ? nextStep(limit, events.length, looked, wanted) : most, most - looked);
  }
  // Nothing is published in those blocks any more.
  last = Math.max(last, firstOfEventBlock(block) - 1);
  return page(true);
}

function matches(event: PublishedEvent, { type, resourceId }: EventFilter): boolean {
  return (
    (type === undefined || event.type === type) &&
    (resourceId === undefined || event.resourceId === resourceId)
  );
}

/**
 * Whether a gap before a commit is final. Numbers are assigned in order, but a reader may see only a part of what was
 * published together.
 */
function isGapFinal(item: StoredItem): boolean {
  return Number(item[TABLE.ttl]) <= endOfKeeping(EVENT_KEPT_DAYS, Date.now() - GAP_FINAL_AFTER_MS);
}

/** Whether events may follow in the next block: see `nextSequence`. @param newest the newest commit of this one */
function goesOn(world: StoredWorld, block: number, newest: StoredItem | undefined, last: number): boolean {
  return (
    block < (world.eventBlock ?? 0) ||
    eventBlockOf(last + 1) > block ||
    (block === world.eventBlock && (newest === undefined || isPastEnd(newest)))
  );
}

function parseCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^[1-9]\d{0,9}$/.test(text)) {
    throw foreignCursor();
  }
  return Number(text);
}

/** The newest commits with events before a number; `isEnd`: no older ones follow. */
async function readNewest(world: World, before: number, atMost: number) {
  const items: StoredItem[] = [];
  const newest = eventBlockOf(before);
  for (let block = newest; block >= 0; block -= 1) {
    const read = await queryBlock(world, block, { until: before - 1, limit: atMost - items.length });
    items.push(...read.items);
    if (!read.isEnd || items.length >= atMost) {
      return { items, isEnd: false };
    }
    // The newest block may have just begun. Of any other, all is past its end, and so is what is older.
    if (read.items.length === 0 && block < newest) {
      break;
    }
  }
  return { items, isEnd: true };
}

/** As `readNewest`, of one resource. */
async function readOfResource(world: World, resourceId: string, before: number, atMost: number) {
  const { entries, next } = await queryIndex({
    index: 'related',
    pk: resourceEventsPk(world, resourceId),
    where: ['<', sequenceSk(before)],
    newestFirst: true,
    limit: atMost,
  });
  const items = await getItems(entries);
  return {
    items: items.toSorted((one, other) => Number(other.sk) - Number(one.sk)),
    isEnd: next === undefined,
  };
}

interface BlockQuery {
  /** The last number, inclusive: newest first. */
  readonly until?: number;
  /** Those after a number: oldest first. */
  readonly after?: number;
  readonly limit: number;
  /** An eventually consistent read. */
  readonly mayBeLate?: boolean;
}

interface Commits {
  readonly items: StoredItem[];
  readonly isEnd: boolean;
}

/** Commits of a block: newest first, or those after a number, oldest first (consistent reads, except with `mayBeLate`). */
async function queryBlock(world: World, block: number, query: BlockQuery): Promise<Commits> {
  const shards = await Promise.all(eventsPks(world, block).map((pk) => queryShard(pk, query)));
  const way = query.after === undefined ? -1 : 1;
  const far = (item: StoredItem | undefined) => way * Number(item?.sk);
  // What a shard has beyond its page may come before what another one has shown.
  const known = Math.min(...shards.filter(({ isEnd }) => !isEnd).map(({ items }) => far(items.at(-1))));
  const items = shards
    .flatMap((shard) => shard.items)
    .filter((item) => far(item) <= known)
    .toSorted((one, other) => far(one) - far(other));
  return {
    items: items.slice(0, query.limit),
    isEnd: known === Number.POSITIVE_INFINITY && items.length <= query.limit,
  };
}

async function queryShard(
  pk: In<'EVENTS'>,
  { until, after, limit, mayBeLate }: BlockQuery,
): Promise<Commits> {
  const before: Where | undefined = until === undefined ? undefined : ['sk <= :sk', sequenceSk(until)];
  const output = await callTable('Query', {
    ...queryOf(pk, after === undefined ? before : ['sk > :sk', sequenceSk(after)]),
    ScanIndexForward: after !== undefined,
    ConsistentRead: mayBeLate !== true,
    Limit: limit,
  });
  // A page holds a megabyte.
  return { items: output.Items ?? [], isEnd: output.LastEvaluatedKey === undefined };
}

/** The events of an item, in order. */
function eventsOf(item: StoredItem): PublishedEvent[] {
  const firstSequence = Number(item.sk);
  const trace = traceOf(item);
  return unpack(item.data as Uint8Array)
    .split('\n')
    .map((body, nth) => {
      const { id, type, data } = JSON.parse(body) as Pick<PublishedEvent, 'id' | 'type'> & {
        data: { object: { id: string } };
      };
      const numbers = { sequence: firstSequence + nth, firstSequence };
      return { id, type, resourceId: data.object.id, ...numbers, body, ...(trace !== null && { trace }) };
    });
}

/** The number after the last event of an item. */
function endOf(item: StoredItem): number {
  return Number(item.sk) + eventsOf(item).length;
}
