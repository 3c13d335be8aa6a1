import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { SECOND_MS } from '../domain/clock.ts';
import { type IdPrefix, isId } from '../domain/id.ts';
import { documents, tableName } from './client.ts';
import type { Change } from './commit.ts';
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

/** The entity that an id names, or null: a text that has not the form of such an id is not asked for. */
export async function findEntity<Entity>(
  prefix: IdPrefix,
  id: string,
  key: Key,
  toEntity: (item: Item) => Entity,
): Promise<Entity | null> {
  const item = isId(prefix, id) ? await getItem(key) : undefined;
  return item === undefined || isPastEnd(item) ? null : toEntity(item);
}

/** Whether an item is kept no more: DynamoDB deletes it within days, and until then nobody is shown it. */
export function isPastEnd(item: Item): boolean {
  return Number(item[TABLE.ttl] ?? Number.POSITIVE_INFINITY) * SECOND_MS <= Date.now();
}

/** Puts an item where none may be yet. */
export function insert(item: Key & Item): Change {
  return { put: { item, condition: 'attribute_not_exists(pk)' } };
}

/** Removes an item that is still there: the second of two who try fails. */
export function remove(key: Key): Change {
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
export function replace(item: Key & Item, readVersion: number): Change {
  return {
    put: {
      item,
      condition: '#version = :read',
      names: { '#version': 'version' },
      values: { ':read': readVersion },
    },
  };
}
