import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { documents, tableName } from './client.ts';
import type { Change } from './commit.ts';
import type { Key } from './keys.ts';

export type Item = Record<string, unknown>;

/** The item of a key, as of now (a consistent read), or undefined. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const answer = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
  );
  return answer.Item;
}

/** Puts an item where none may be yet. */
export function insert(item: Key & Item): Change {
  return { put: { item, condition: 'attribute_not_exists(pk)' } };
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
