import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { SECOND_MS } from '../domain/clock.ts';
import { type IdPrefix, isId } from '../domain/id.ts';
import type { ListedName, ResourceName } from '../domain/resource.ts';
import { documents, tableName } from './client.ts';
import type { Write } from './commit.ts';
import type { Key } from './keys.ts';
import { TABLE } from './table.ts';

export type Item = Record<string, unknown>;

/** The item of a key (a consistent read), or undefined. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const answer = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
  );
  return answer.Item;
}

/** The item of an id, or null. A text that cannot be such an id is not looked up. */
export async function findItem(prefix: IdPrefix, id: string, key: Key): Promise<Item | null> {
  const item = isId(prefix, id) ? await getItem(key) : undefined;
  return item === undefined || isPastEnd(item) ? null : item;
}

/** Whether an item's time to live is over: DynamoDB deletes it within days, and until then it is not shown. */
export function isPastEnd(item: Item): boolean {
  return Number(item[TABLE.ttl] ?? Number.POSITIVE_INFINITY) * SECOND_MS <= Date.now();
}

/** An item that may be written alone. A resource may not: it is written together with its events (`writes.ts`). */
type Writable = Key & Item & { readonly of?: Exclude<ListedName, ResourceName> };

/** Puts an item, if none has its key yet. */
export function insert(item: Writable): Write {
  return { put: { item, condition: 'attribute_not_exists(pk)' } };
}

/** Removes an item, if it is still there: of two who try, the second fails. */
export function remove(key: Key): Write {
  return { remove: { key, condition: 'attribute_exists(pk)' } };
}

/** Every item of a partition, in the order of the sort keys. @param until the last sort key, inclusive */
export async function queryPartition(pk: string, until?: string): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: until === undefined ? 'pk = :pk' : 'pk = :pk AND sk <= :until',
        ExpressionAttributeValues: { ':pk': pk, ...(until !== undefined && { ':until': until }) },
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(answer.Items ?? []));
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

/** Replaces an item, if its version is still the one that was read. */
export function replace(item: Writable, readVersion: number): Write {
  return {
    put: {
      item,
      condition: '#version = :read',
      names: { '#version': 'version' },
      values: { ':read': readVersion },
    },
  };
}

/** How many items a query finds, on all of its pages. */
export async function countItems(query: QueryCommandInput): Promise<number> {
  let count = 0;
  let from: Item | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({ ...query, Select: 'COUNT', ...(from && { ExclusiveStartKey: from }) }),
    );
    count += answer.Count ?? 0;
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
  return count;
}
