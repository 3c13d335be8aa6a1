import { firstIdAt } from '../domain/id.ts';
import { type EntityOf, type FilterOf, filtersOf, RESOURCES, type ResourceName } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { foreignCursor } from '../errors/problem.ts';
import { toEntity } from './entity.ts';
import { getItems } from './get-items.ts';
import { queryIndex } from './index-entries.ts';
import { isPastEnd, type StoredItem } from './item.ts';
import { BLOCK_SIZE, blockOf, blockPk, byPk, type Key, newestBlock } from './keys.ts';
import { listsBy } from './resource-items.ts';
import type { IndexName } from './table.ts';

/** The most entries that a filtered page reads, so that its cost does not grow with the data. */
const FILTERED_ENTRIES_MAX = 500;
/** Blocks that are queried at the same time: the second is needed where the first holds less than a page. */
const BLOCKS_AT_ONCE = 2;
/** Between two instants most blocks may hold nothing, and reading that is cheap. */
const RANGED_BLOCKS_AT_ONCE = 16;
const BLOCK_ROUNDS_MAX = 4;

/** Where a list lies: an index, and its partitions from the newest block (the highest) down to the oldest. */
export interface ListSource {
  readonly index: Exclude<IndexName, 'due'>;
  readonly newestBlock: number;
  /** Default: block 0. */
  readonly oldestBlock?: number;
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

/** A request for a page. Filters that the resource's row does not have do not compile. */
export type Query<Name extends ResourceName, ListQuery> = ListQuery &
  PageRequest & { readonly [Field in Exclude<keyof ListQuery, keyof PageRequest | FilterOf<Name>>]: never };

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
  const filters = filtersOf(name);
  const { limit: _limit, after: _after, createdFrom, createdTo, ...requestedFilters } = query;
  const wanted = Object.entries(requestedFilters).filter(([, value]) => value !== undefined);
  const own = wanted.find(([filter]) => filter in listsBy(name));
  const source: ListSource = {
    ...(own === undefined
      ? {
          index: 'newest',
          ...blocksOf(world.counts[name], wanted),
          partitionOf: (block) => blockPk(name, world, block),
        }
      : { index: 'related', newestBlock: 0, partitionOf: () => byPk(name, world, own[0], String(own[1])) }),
    ...idsBetween(name, createdFrom, createdTo),
  };
  const rest = wanted.filter((one) => one !== own);
  const keep = (entity: EntityOf<Name>) =>
    rest.every(([filter, value]) => filters[filter]?.(entity) === value);
  return listPage(source, query, (item) => asOf(toEntity(name, item)), rest.length === 0 ? undefined : keep);
}

/** All blocks of a list, or the one that has the requested number. */
function blocksOf(count: number, wanted: readonly (readonly [filter: string, value: unknown])[]) {
  const number = wanted.find(([filter]) => filter === 'number')?.[1];
  const newest = newestBlock(count);
  if (number === undefined) {
    return { newestBlock: newest };
  }
  const block = blockOf(String(number));
  // No block for a text that is not a number, or for a number that is not assigned yet.
  return block <= newest ? { newestBlock: block, oldestBlock: block } : { newestBlock: -1 };
}

/** An id has the time of its resource's creation. */
function idsBetween(name: ResourceName, from: string | undefined, to: string | undefined) {
  const firstAt = (at: string) => firstIdAt(RESOURCES[name].prefix, Math.max(Date.parse(at), 0));
  return from === undefined && to === undefined
    ? {}
    : { between: [from ? firstAt(from) : '', to ? firstAt(to) : BLOCK_START] as const };
}

/** @param keep false for entities that the filters exclude */
export async function listPage<T>(
  source: ListSource,
  page: PageRequest,
  fromItem: (item: StoredItem) => T,
  keep?: (entity: T) => boolean,
): Promise<ListPage<T>> {
  const from =
    page.after === undefined
      ? { block: source.newestBlock, id: BLOCK_START }
      : parseCursor(page.after, source);
  const isOneBlock = source.newestBlock === source.oldestBlock;
  const wanted = keep === undefined ? page.limit + 1 : isOneBlock ? BLOCK_SIZE : FILTERED_ENTRIES_MAX;
  const { entries, end, next } = await readEntries(source, from, wanted);
  const items = new Map((await getItems(entries, 'read list')).map((item) => [String(item.pk), item]));

  const data: T[] = [];
  for (const [place, entry] of entries.entries()) {
    const item = items.get(entry.pk);
    if (item !== undefined && isPastEnd(item)) {
      // The rest is older, so its time to live is over too.
      return { data, nextCursor: null };
    }
    const entity = item && fromItem(item);
    if (entity !== undefined && (keep === undefined || keep(entity))) {
      data.push(entity);
    }
    const isLast = place === entries.length - 1;
    if (data.length === page.limit && !(isLast && end)) {
      return { data, nextCursor: formatCursor(entry) };
    }
  }
  return { data, nextCursor: end ? null : formatCursor(entries.at(-1) ?? { block: next, id: BLOCK_START }) };
}

/** Index entries from a position on; `end`: no more follow. */
async function readEntries(source: ListSource, from: Position, wanted: number) {
  const entries: Entry[] = [];
  let next = from.block;
  const { oldestBlock = 0, between } = source;
  const atOnce = between === undefined ? BLOCKS_AT_ONCE : RANGED_BLOCKS_AT_ONCE;
  for (let round = 0; round < BLOCK_ROUNDS_MAX && next >= oldestBlock; round += 1) {
    const blocks = Array.from({ length: Math.min(atOnce, next - oldestBlock + 1) }, (_, back) => next - back);
    const read = await Promise.all(
      blocks.map((block) => queryBlock(source, block, block === from.block ? from.id : BLOCK_START, wanted)),
    );
    for (const block of read) {
      entries.push(...block.entries);
      if (entries.length >= wanted || !block.end) {
        const isWhole = block.end && next === oldestBlock && entries.length <= wanted;
        return { entries: entries.slice(0, wanted), end: isWhole, next };
      }
      next -= 1;
    }
  }
  return { entries, end: next < oldestBlock, next };
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
