import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { SECOND_MS } from '../domain/clock.ts';
import { type IdPrefix, isId } from '../domain/id.ts';
import type { ListedName, ResourceName } from '../domain/resource.ts';
import { documents, tableName } from './client.ts';
import type { Write } from './commit.ts';
import type { Key } from './keys.ts';
import { TABLE } from './table.ts';

export type Item = Record<string, unknown>;

/** The item of a key, as of now (a consistent read), or undefined. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const answer = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
  );
  return answer.Item;
}

/** The item of an id, or null: a text that has not the form of such an id is not asked for. */
export async function findItem(prefix: IdPrefix, id: string, key: Key): Promise<Item | null> {
  const item = isId(prefix, id) ? await getItem(key) : undefined;
  return item === undefined || isPastEnd(item) ? null : item;
}

/** Whether an item is kept no more: DynamoDB deletes it within days, and until then nobody is shown it. */
export function isPastEnd(item: Item): boolean {
  return Number(item[TABLE.ttl] ?? Number.POSITIVE_INFINITY) * SECOND_MS <= Date.now();
}

/** What may be written by itself: a resource may not, for its events belong to it (see `writes.ts`). */
type Writable = Key & Item & { readonly of?: Exclude<ListedName, ResourceName> };

/** Puts an item where none may be yet. */
export function insert(item: Writable): Write {
  return { put: { item, condition: 'attribute_not_exists(pk)' } };
}

/** Removes an item that is still there: the second of two who try fails. */
export function remove(key: Key): Write {
  return { remove: { key, condition: 'attribute_exists(pk)' } };
}

/** Every item of a partition in the order of its sort keys, up to an end where one is given. */
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

/** Replaces an item that is still as it was read. */
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
