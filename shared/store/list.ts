import { type EntityOf, type FilterOf, type ResourceName, rowOf } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { invalidFields, type Problem } from '../errors/problem.ts';
import { toEntity } from './entity.ts';
import { getItems } from './get-items.ts';
import { queryIndex } from './index-entries.ts';
import { isPastEnd, type StoredItem } from './item.ts';
import { blockPk, byPk, type Key, newestBlock } from './keys.ts';
import type { IndexName } from './table.ts';

/** The most entries that a filtered page reads, so that its cost does not grow with the data. */
const FILTERED_ENTRIES_MAX = 500;
/** Blocks that are queried at the same time: the second is needed where the first holds less than a page. */
const BLOCKS_AT_ONCE = 2;
const BLOCK_ROUNDS_MAX = 4;

/** Where a list lies: an index, and its partitions from the newest block (the highest) down to block 0. */
export interface ListSource {
  readonly index: Exclude<IndexName, 'due'>;
  readonly newestBlock: number;
  readonly partitionOf: (block: number) => string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
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
  /** The page begins after this id, or at the start of the block where null. */
  readonly id: string | null;
}

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
  const { by = {}, filters } = rowOf(name);
  const { limit: _limit, after: _after, ...asked } = query;
  const wanted = Object.entries(asked).filter(([, value]) => value !== undefined);
  const own = wanted.find(([filter]) => filter in by);
  const source: ListSource =
    own === undefined
      ? {
          index: 'newest',
          newestBlock: newestBlock(world.counts[name]),
          partitionOf: (block) => blockPk(name, world, block),
        }
      : { index: 'related', newestBlock: 0, partitionOf: () => byPk(name, world, own[0], String(own[1])) };
  const rest = wanted.filter((one) => one !== own);
  const keep = (entity: EntityOf<Name>) =>
    rest.every(([filter, value]) => filters[filter]?.(entity) === value);
  return listPage(source, query, (item) => asOf(toEntity(name, item)), rest.length === 0 ? undefined : keep);
}

/** @param keep false for entities that the filters exclude */
export async function listPage<T>(
  source: ListSource,
  page: PageRequest,
  fromItem: (item: StoredItem) => T,
  keep?: (entity: T) => boolean,
): Promise<ListPage<T>> {
  const from =
    page.after === undefined ? { block: source.newestBlock, id: null } : parseCursor(page.after, source);
  const wanted = keep === undefined ? page.limit + 1 : FILTERED_ENTRIES_MAX;
  const { entries, end } = await readEntries(source, from, wanted);
  const items = new Map((await getItems(entries)).map((item) => [String(item.pk), item]));

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
  const last = entries.at(-1);
  return { data, nextCursor: end || last === undefined ? null : formatCursor(last) };
}

/** Index entries from a position on; `end`: no more follow. */
async function readEntries(source: ListSource, from: Position, wanted: number) {
  const entries: Entry[] = [];
  let next = from.block;
  for (let round = 0; round < BLOCK_ROUNDS_MAX && next >= 0; round += 1) {
    const blocks = Array.from({ length: Math.min(BLOCKS_AT_ONCE, next + 1) }, (_, back) => next - back);
    const read = await Promise.all(
      blocks.map((block) => queryBlock(source, block, block === from.block ? from.id : null, wanted)),
    );
    for (const block of read) {
      entries.push(...block.entries);
      if (entries.length >= wanted || !block.end) {
        const isWhole = block.end && next === 0 && entries.length <= wanted;
        return { entries: entries.slice(0, wanted), end: isWhole };
      }
      next -= 1;
    }
  }
  return { entries, end: next < 0 };
}

async function queryBlock(source: ListSource, block: number, afterId: string | null, limit: number) {
  const page = await queryIndex({
    index: source.index,
    pk: source.partitionOf(block),
    ...(afterId !== null && { where: ['<', afterId] }),
    newestFirst: true,
    limit,
  });
  const entries = page.entries.map(({ pk, sk, indexSk }): Entry => ({ pk, sk, id: indexSk, block }));
  return { entries, end: page.next === undefined };
}

function formatCursor({ block, id }: Entry): string {
  return Buffer.from(`${block}:${id}`).toString('base64url');
}

function parseCursor(cursor: string, source: ListSource): Position {
  const parts = /^(\d{1,9}):([0-9a-z_]{1,40})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const block = Number(parts?.[1]);
  const id = parts?.[2];
  if (id === undefined || block > source.newestBlock) {
    throw foreignCursor();
  }
  return { block, id };
}

/** The refusal of a cursor that no page of the list has returned. */
export function foreignCursor(): Problem {
  return invalidFields([
    { code: 'format', field: 'after', message: 'must be the next_cursor of an earlier page of this list' },
  ]);
}
