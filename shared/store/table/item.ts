import { SECOND_MS } from '../../domain/clock.ts';
import { type IdPrefix, isId } from '../../domain/id.ts';
import { callTable, type StepName, type TableInput } from './client.ts';
import type { Condition, Write } from './commit.ts';
import type { Key } from './keys.ts';
import { TABLE } from './table.ts';

export type StoredItem = Record<string, unknown>;

/** The item of a key (a consistent read), or undefined. */
export async function getItem(key: Key, step?: StepName): Promise<StoredItem | undefined> {
  return (await callTable('GetItem', { Key: key, ConsistentRead: true }, step)).Item;
}

/** The item of an id, or null. A text that cannot be such an id is not looked up. */
export async function findItem(
  prefix: IdPrefix,
  id: string,
  key: Key,
  step?: StepName,
): Promise<StoredItem | null> {
  const item = isId(prefix, id) ? await getItem(key, step) : undefined;
  return item === undefined || isPastEnd(item) ? null : item;
}

/** Whether an item's time to live is over: DynamoDB deletes it within days, and until then it is not shown. */
export function isPastEnd(item: StoredItem): boolean {
  return Number(item[TABLE.ttl] ?? Number.POSITIVE_INFINITY) * SECOND_MS <= Date.now();
}

/** An item that may be written alone. A resource may not: it is written together with its events (`writes.ts`). */
type WritableItem = Key & StoredItem & { readonly of?: never };

/** Puts an item, if none has its key yet. */
export function insert(item: WritableItem): Write {
  return { put: { item, condition: 'attribute_not_exists(pk)' } };
}

/** A condition that always holds. */
export const ALWAYS = 'attribute_exists(pk) OR attribute_not_exists(pk)';

/** Puts an item instead of any that has its key. */
export function put(item: WritableItem): Write {
  return { put: { item, condition: ALWAYS } };
}

/** Changes attributes of an item, if a condition holds. */
export function update(key: Key, expression: string, when: Condition): Write {
  return { update: { key, expression, ...when } };
}

/** Removes an item, if it is still there: of two calls, the second fails. */
export function remove(key: Key): Write {
  return { remove: { key, condition: 'attribute_exists(pk)' } };
}

/** Which items of a partition: a condition on the sort key, and the texts that it compares. */
export type Where =
  | readonly [`sk ${'<' | '<=' | '>' | '>='} :sk` | 'begins_with(sk, :sk)', sk: string]
  | readonly ['sk BETWEEN :from AND :sk', sk: string, from: string];

/** Which of the items that are read are returned: those that have none of these values. */
export interface Filter {
  readonly attribute: string;
  readonly noneOf: readonly string[];
}

/** A query of a partition, or of a part of it, in the order of the sort keys (a consistent read). */
export function queryOf<Pk extends string>(pk: Pk, where?: Where, filter?: Filter) {
  const left = Object.fromEntries((filter?.noneOf ?? []).map((value, index) => [`:no${index}`, value]));
  return {
    KeyConditionExpression: where === undefined ? 'pk = :pk' : `pk = :pk AND ${where[0]}`,
    ExpressionAttributeValues: {
      ':pk': pk,
      ...(where && { ':sk': where[1] }),
      ...(where?.[2] !== undefined && { ':from': where[2] }),
      ...left,
    },
    ConsistentRead: true,
    ...(filter && {
      FilterExpression: `NOT #filtered IN (${Object.keys(left).join(', ')})`,
      ExpressionAttributeNames: { '#filtered': filter.attribute },
    }),
  };
}

/** Every item of a partition, or of a part of it, in the order of the sort keys. */
export async function queryPartition(pk: string, where?: Where, step?: StepName): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const page of queryPages(queryOf(pk, where), step)) {
    items.push(...(page.Items ?? []));
  }
  return items;
}

/** The newest items of a partition, or of a part of it, at most a megabyte (a consistent read). */
export async function queryNewest<Pk extends string>(
  pk: Pk,
  where: Where | undefined,
  limit: number,
): Promise<{ readonly items: readonly StoredItem[]; readonly isEnd: boolean }> {
  const page = await callTable('Query', { ...queryOf(pk, where), ScanIndexForward: false, Limit: limit });
  return { items: page.Items ?? [], isEnd: page.LastEvaluatedKey === undefined };
}

/** The pages of a query. */
export async function* queryPages(query: TableInput<'Query'>, step?: StepName) {
  let from: StoredItem | undefined;
  do {
    const page = await callTable('Query', { ...query, ...(from && { ExclusiveStartKey: from }) }, step);
    yield page;
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

/** Keys of a partition, in the order of the sort keys (an eventually consistent read). */
export async function keysIn<Pk extends string>(pk: Pk, atMost: number): Promise<Key<Pk>[]> {
  const query = { ...queryOf(pk), ConsistentRead: false, Limit: atMost };
  const output = await callTable('Query', query);
  return (output.Items ?? []).map(({ sk }) => ({ pk, sk: String(sk) }));
}

/** All keys of a partition, in the order of the sort keys (a consistent read). */
export async function allKeysIn<Pk extends string>(pk: Pk): Promise<Key<Pk>[]> {
  const keys: Key<Pk>[] = [];
  for await (const page of queryPages({ ...queryOf(pk), ProjectionExpression: 'sk' })) {
    keys.push(...(page.Items ?? []).map(({ sk }) => ({ pk, sk: String(sk) })));
  }
  return keys;
}

/** An item as it was read. */
interface ReadItem {
  readonly version: number;
  /** Where another item may have the key by now. */
  readonly id?: string;
}

/** Replaces an item, if its version is still the one that was read. */
export function replace(item: WritableItem, read: ReadItem): Write {
  return { put: { item, ...isAsRead(read) } };
}

/** Removes an item, if its version is still the one that was read. */
export function removeRead(key: Key, read: ReadItem): Write {
  return { remove: { key, ...isAsRead(read) } };
}

function isAsRead({ version, id }: ReadItem) {
  return {
    condition: id === undefined ? '#version = :read' : '#version = :read AND id = :id',
    names: { '#version': 'version' },
    values: { ':read': version, ...(id !== undefined && { ':id': id }) },
  };
}

/** How many items a partition, or a part of it, holds (a consistent read). */
export async function countPartition(pk: string, where?: Where, filter?: Filter): Promise<number> {
  let count = 0;
  for await (const page of queryPages({ ...queryOf(pk, where, filter), Select: 'COUNT' })) {
    count += page.Count ?? 0;
  }
  return count;
}
