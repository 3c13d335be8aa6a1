import { firstIdAt } from '../../domain/id.ts';
import {
  type EntityOf,
  type FilterOf,
  matchesFilter,
  RESOURCES,
  type ResourceName,
} from '../../domain/resource.ts';
import { formatNumber, ordinalOf } from '../../domain/resource-number.ts';
import type { World } from '../../domain/world.ts';
import { foreignCursor } from '../../errors/problem.ts';
import { toEntity } from './entity.ts';
import { getItems } from './get-items.ts';
import { queryIndex } from './index-entries.ts';
import { isPastEnd, type StoredItem } from './item.ts';
import { BLOCK_SIZE, blockOf, blockPk, byPk, type Key, newestBlock } from './keys.ts';
import { listBy } from './resource-items.ts';
import type { IndexName } from './table.ts';

/** The most entries that a filtered page looks at, so that its cost does not grow with the data. */
const FILTERED_ENTRIES_MAX = 500;
/** How much longer a step of a filtered page may be than the one before. */
const STEP_GROWTH = 4;
/** How many payments around its estimated position are read first for a number. */
const NUMBERED_FIRST = 16;
/** Blocks that are queried at the same time: the second is needed where the first holds less than a page. */
const BLOCKS_AT_ONCE = 2;
/** Between two instants most blocks may hold nothing, and reading that is cheap. */
const RANGED_BLOCKS_AT_ONCE = 16;
const BLOCK_ROUNDS_MAX = 4;

/** Where a list lies: an index, and its partitions from the newest block (the highest) down to block 0. */
export interface ListSource {
  readonly index: Exclude<IndexName, 'due'>;
  readonly newestBlock: number;
  readonly partitionOf: (block: number) => string;
  /** Only ids from the first on, and before the second. */
  readonly between?: readonly [first: string, end: string];
}

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
  /** The earliest creation, on the merchant's clock: RFC 3339. */
  readonly createdFrom?: string | undefined;
  /** The creation is before this instant. */
  readonly createdTo?: string | undefined;
}

export interface ListPage<T> {
  readonly data: T[];
  /** Opaque: where the next page begins, or null at the end. */
  readonly nextCursor: string | null;
}

interface Entry extends Key {
  readonly block: number;
  readonly id: string;
}

interface Position {
  readonly block: number;
  /** The page begins after this id. */
  readonly id: string;
}

/** Sorts after every id: a page begins at the start of its block. */
const BLOCK_START = '~';

/**
 * A request for a page. Filters that the resource's row does not have do not compile, nor do those that are no text: they
 * would be equal to nothing.
 */
export type Query<Name extends ResourceName, ListQuery> = ListQuery &
  PageRequest & {
    readonly [Field in Exclude<keyof ListQuery, keyof PageRequest>]?: Field extends FilterOf<Name>
      ? string | undefined
      : never;
  };

/**
 * One page of a list, newest first. With a filter that has no list of its own, a page may be short although more
 * pages follow.
 * @param asOf turns a stored entity into what it is as of now, for example an expired payment
 * @throws Problem `validation_failed` for a cursor that this service did not make
 */
export function list<Name extends ResourceName, ListQuery extends PageRequest>(
  name: Name,
  world: World,
  query: Query<Name, ListQuery>,
  asOf: (entity: EntityOf<Name>) => EntityOf<Name> = (entity) => entity,
): Promise<ListPage<EntityOf<Name>>> {
  const { limit: _limit, after: _after, createdFrom, createdTo, ...requestedFilters } = query;
  const wanted = Object.entries(requestedFilters).filter(([, value]) => value !== undefined);
  const own = wanted.find(([filter]) => filter === listBy(name)?.filter);
  const source: ListSource = {
    ...(own === undefined
      ? {
          index: 'newest',
          newestBlock: newestBlock(world.counts[name]),
          partitionOf: (block) => blockPk(name, world, block),
        }
      : { index: 'related', newestBlock: 0, partitionOf: () => byPk(name, world, String(own[1])) }),
    ...idsBetween(name, createdFrom, createdTo),
  };
  const rest = wanted.filter((one) => one !== own);
  const keep = (entity: EntityOf<Name>) =>
    rest.every(([filter, value]) => matchesFilter(name, filter, String(value), entity));
  const fromItem = (item: StoredItem) => asOf(toEntity(name, item));
  const number = rest.find(([filter]) => filter === 'number')?.[1];
  if (number !== undefined && own === undefined) {
    const has = (entity: EntityOf<Name>) => entity.number === number;
    const estimate = estimatePosition(name, String(number), world.counts[name]);
    return listNumbered(source, query, estimate, fromItem, has, keep);
  }
  return listPage(source, query, fromItem, rest.length === 0 ? undefined : keep);
}

/** The block that has a number, and how far back in it the number is expected; null for one that is not assigned. */
function estimatePosition(name: ResourceName, number: string, count: number) {
  const ordinal = ordinalOf(number);
  if (formatNumber(name, ordinal) !== number || ordinal < 1 || ordinal > count) {
    return null;
  }
  const block = blockOf(number);
  const assigned = Math.min(count - block * BLOCK_SIZE, BLOCK_SIZE);
  return { block, share: 1 - (ordinal - block * BLOCK_SIZE) / assigned };
}

/** An id has the time of its resource's creation. */
function idsBetween(name: ResourceName, from: string | undefined, to: string | undefined) {
  const firstAt = (at: string) => firstIdAt(RESOURCES[name].prefix, Math.max(Date.parse(at), 0));
  return from === undefined && to === undefined
    ? {}
    : { between: [from ? firstAt(from) : '', to ? firstAt(to) : BLOCK_START] as const };
}

/**
 * The page that has the only resource of a number. Ids follow one another as numbers do, but for numbers that were never
 * used and what was created side by side: so the search begins where the number is expected.
 */
async function listNumbered<T>(
  source: ListSource,
  { after }: PageRequest,
  estimate: ReturnType<typeof estimatePosition>,
  fromItem: (item: StoredItem) => T,
  has: (entity: T) => boolean,
  keep: (entity: T) => boolean,
): Promise<ListPage<T>> {
  if (after !== undefined) {
    // No page follows the only one.
    throw foreignCursor();
  }
  const { entries } =
    estimate === null ? { entries: [] } : await queryBlock(source, estimate.block, BLOCK_START, BLOCK_SIZE);
  const expected = (estimate?.share ?? 0) * entries.length;
  const nearest = entries
    .map((entry, index) => ({ entry, distance: Math.abs(index - expected) }))
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ entry }) => entry);
  for (let from = 0, step = NUMBERED_FIRST; from < nearest.length; from += step, step *= STEP_GROWTH) {
    const items = await getItems(nearest.slice(from, from + step), 'read list');
    const found = items
      .filter((item) => !isPastEnd(item))
      .map(fromItem)
      .find(has);
    if (found !== undefined) {
      return { data: keep(found) ? [found] : [], nextCursor: null };
    }
  }
  return { data: [], nextCursor: null };
}

/**
 * A page of a source. A filtered one is read in steps: the first is what a page without a filter reads, and the next
 * ones follow from how many matched so far.
 * @param keep false for entities that the filters exclude
 */
export async function listPage<T>(
  source: ListSource,
  page: PageRequest,
  fromItem: (item: StoredItem) => T,
  keep?: (entity: T) => boolean,
): Promise<ListPage<T>> {
  let from: Position =
    page.after === undefined
      ? { block: source.newestBlock, id: BLOCK_START }
      : parseCursor(page.after, source);
  const data: T[] = [];
  let looked = 0;
  let wanted = page.limit + 1;
  for (;;) {
    const { entries, end, next } = await readEntries(source, from, wanted);
    const items = new Map((await getItems(entries, 'read list')).map((item) => [String(item.pk), item]));
    for (const [index, entry] of entries.entries()) {
      const item = items.get(entry.pk);
      if (item !== undefined && isPastEnd(item)) {
        // The rest is older, so its time to live is over too.
        return { data, nextCursor: null };
      }
      const entity = item && fromItem(item);
      if (entity !== undefined && (keep === undefined || keep(entity))) {
        data.push(entity);
      }
      const isLast = index === entries.length - 1;
      if (data.length === page.limit && !(isLast && end)) {
        return { data, nextCursor: formatCursor(entry) };
      }
    }
    if (end) {
      return { data, nextCursor: null };
    }
    looked += entries.length;
    if (keep === undefined || looked >= FILTERED_ENTRIES_MAX || entries.length < wanted) {
      return { data, nextCursor: formatCursor(next) };
    }
    wanted = Math.min(nextStep(page.limit, data.length, looked, wanted), FILTERED_ENTRIES_MAX - looked);
    from = next;
  }
}

/** How many entries probably hold the rest of a filtered page, by what matched of those looked at. */
export function nextStep(limit: number, matched: number, looked: number, before: number): number {
  const missing = limit - matched;
  const probable = matched === 0 ? Number.POSITIVE_INFINITY : Math.ceil((missing * looked) / matched);
  // Few entries more save a round.
  return Math.min(Math.max(probable, Math.ceil(limit / 2)), before * STEP_GROWTH);
}

/** Index entries from a position on, where the next ones begin, and whether none follow (`end`). */
async function readEntries(source: ListSource, from: Position, wanted: number) {
  const entries: Entry[] = [];
  let next = from.block;
  // The newest blocks may be newer than the range.
  const isFarOff = source.between !== undefined && from.id === BLOCK_START;
  const atOnce = isFarOff ? RANGED_BLOCKS_AT_ONCE : BLOCKS_AT_ONCE;
  for (let round = 0; round < BLOCK_ROUNDS_MAX && next >= 0; round += 1) {
    const blocks = Array.from({ length: Math.min(atOnce, next + 1) }, (_, back) => next - back);
    const read = await Promise.all(
      blocks.map((block) => queryBlock(source, block, block === from.block ? from.id : BLOCK_START, wanted)),
    );
    for (const block of read) {
      entries.push(...block.entries);
      if (entries.length >= wanted || !block.end) {
        const isWhole = block.end && next === 0 && entries.length <= wanted;
        const page = entries.slice(0, wanted);
        return { entries: page, end: isWhole, next: page.at(-1) ?? { block: next, id: BLOCK_START } };
      }
      next -= 1;
    }
  }
  return { entries, end: next < 0, next: { block: next, id: BLOCK_START } };
}

async function queryBlock(source: ListSource, block: number, afterId: string, limit: number) {
  const [first, end] = source.between ?? ['', BLOCK_START];
  const page = await queryIndex({
    index: source.index,
    pk: source.partitionOf(block),
    where: ['<', end < afterId ? end : afterId],
    newestFirst: true,
    limit,
  });
  const inside = page.entries.filter(({ indexSk }) => indexSk >= first);
  const entries = inside.map(({ pk, sk, indexSk }): Entry => ({ pk, sk, id: indexSk, block }));
  return { entries, end: page.next === undefined || inside.length < page.entries.length };
}

function formatCursor({ block, id }: Position): string {
  return Buffer.from(`${block}:${id}`).toString('base64url');
}

function parseCursor(cursor: string, source: ListSource): Position {
  const parts = /^(\d{1,9}):([0-9a-z_]{1,40}|~)$/.exec(Buffer.from(cursor, 'base64url').toString());
  const block = Number(parts?.[1]);
  const id = parts?.[2];
  if (id === undefined || block > source.newestBlock) {
    throw foreignCursor();
  }
  return { block, id };
}
