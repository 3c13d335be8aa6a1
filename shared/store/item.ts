import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { SECOND_MS } from '../domain/clock.ts';
import { type IdPrefix, isId } from '../domain/id.ts';
import { documents, tableName } from './client.ts';
import type { Write } from './commit.ts';
import type { Key } from './keys.ts';
import { TABLE } from './table.ts';

export type StoredItem = Record<string, unknown>;

/** The item of a key (a consistent read), or undefined. */
export async function getItem(key: Key): Promise<StoredItem | undefined> {
  const answer = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
  );
  return answer.Item;
}

/** The item of an id, or null. A text that cannot be such an id is not looked up. */
export async function findItem(prefix: IdPrefix, id: string, key: Key): Promise<StoredItem | null> {
  const item = isId(prefix, id) ? await getItem(key) : undefined;
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

/** Puts an item in the place of any that has its key. */
export function put(item: WritableItem): Write {
  return { put: { item, condition: 'attribute_exists(pk) OR attribute_not_exists(pk)' } };
}

/** Removes an item, if it is still there: of two calls, the second fails. */
export function remove(key: Key): Write {
  return { remove: { key, condition: 'attribute_exists(pk)' } };
}

/** Which items of a partition: up to a sort key, inclusive, or whose sort key begins so. */
type Range = { readonly until: string } | { readonly beginsWith: string };

/** Every item of a partition, in the order of the sort keys. */
export async function queryPartition(pk: string, range?: Range): Promise<StoredItem[]> {
  const [condition, value] =
    range === undefined
      ? ['']
      : 'until' in range
        ? [' AND sk <= :sk', range.until]
        : [' AND begins_with(sk, :sk)', range.beginsWith];
  const items: StoredItem[] = [];
  let from: StoredItem | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: `pk = :pk${condition}`,
        ExpressionAttributeValues: { ':pk': pk, ...(value !== undefined && { ':sk': value }) },
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(answer.Items ?? []));
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

/** Keys of a partition, in the order of the sort keys. */
export async function keysIn<Pk extends string>(pk: Pk, atMost: number): Promise<Key<Pk>[]> {
  const answer = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      Limit: atMost,
    }),
  );
  return (answer.Items ?? []).map(({ sk }) => ({ pk, sk: String(sk) }));
}

/** Replaces an item, if its version is still the one that was read. */
export function replace(item: WritableItem, readVersion: number): Write {
  return { put: { item, ...isAsRead(readVersion) } };
}

/** Removes an item, if its version is still the one that was read. */
export function removeRead(key: Key, readVersion: number): Write {
  return { remove: { key, ...isAsRead(readVersion) } };
}

function isAsRead(version: number) {
  return {
    condition: '#version = :read',
    names: { '#version': 'version' },
    values: { ':read': version },
  };
}

/** How many items a partition holds (a consistent read). */
export function countPartition(pk: string): Promise<number> {
  return countItems({
    TableName: tableName(),
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
}

/** How many items a query finds, on all of its pages. */
export async function countItems(query: QueryCommandInput): Promise<number> {
  let count = 0;
  let from: StoredItem | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({ ...query, Select: 'COUNT', ...(from && { ExclusiveStartKey: from }) }),
    );
    count += answer.Count ?? 0;
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
  return count;
}
