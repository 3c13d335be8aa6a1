import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { inject } from 'vitest';
import './merchant.ts';
import { openedItem, type StoredItem } from './opened-item.ts';

const { callTable, dynamodb, tableName } = await import('../../../shared/store/table/client.ts');

const BATCH_WRITE_MAX = 25;
/** Texts with a prefix lie after the first of these, and before the second. */
const LAST_CHARACTER = '\uffff';

/** Selects items whose partition key begins with a text, or whose attribute equals a text. */
export type Filter =
  | { readonly pkBegins: string }
  | { readonly attribute: 'id' | 'worldId'; readonly value: string };

/** All items of the table, or those that pass a filter, with packed texts unpacked. */
export async function scanTable(filter?: Filter): Promise<Record<string, unknown>[]> {
  return (await rawItems(filter)).map(openedItem);
}

/** All items of the table, or those that pass a filter, as they are stored. */
export async function rawItems(filter?: Filter): Promise<Record<string, unknown>[]> {
  const file = path.join(inject('service').dir, 'payments.db');
  return existsSync(file) ? readFile(file, filter) : scan(filter);
}

/**
 * Reads the file of dynoxide. Its own scan takes a hundred times as long, because it parses the items of all tests. The
 * file has exactly what is committed.
 */
function readFile(file: string, filter: Filter | undefined): Record<string, unknown>[] {
  const data = new DatabaseSync(file, { readOnly: true });
  try {
    const [condition, values] = inSql(filter);
    const rows = data.prepare(`SELECT item_json FROM "${tableName()}" WHERE ${condition}`).all(...values);
    return rows.map(({ item_json: json }) => unmarshall(JSON.parse(String(json), readBytes)));
  } finally {
    data.close();
  }
}

function inSql(filter: Filter | undefined): [condition: string, values: string[]] {
  if (filter === undefined) {
    return ['TRUE', []];
  }
  if ('pkBegins' in filter) {
    // The engine marks the type of a key: a string.
    const first = `S:${filter.pkBegins}`;
    return ['pk BETWEEN ? AND ?', [first, `${first}${LAST_CHARACTER}`]];
  }
  return [`item_json ->> '$.${filter.attribute}.S' = ?`, [filter.value]];
}

/** Bytes are stored as Base64, under the name of their type. */
function readBytes(key: string, value: unknown): unknown {
  return key === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;
}

async function scan(filter: Filter | undefined): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page: ScanCommandOutput = await dynamodb.send(
      new ScanCommand({
        TableName: tableName(),
        ConsistentRead: true,
        ...inDynamoDb(filter),
        ExclusiveStartKey: from,
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

function inDynamoDb(filter: Filter | undefined) {
  if (filter === undefined) {
    return {};
  }
  return 'pkBegins' in filter
    ? {
        FilterExpression: 'begins_with(pk, :value)',
        ExpressionAttributeValues: { ':value': filter.pkBegins },
      }
    : {
        FilterExpression: `${filter.attribute} = :value`,
        ExpressionAttributeValues: { ':value': filter.value },
      };
}

/** What is stored under one partition key: found without a look at everything else. */
export async function partition(pk: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await callTable('Query', {
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
  });
  return Items;
}

/** Puts the table back into the state in which it was read. */
export async function restoreTable(items: readonly StoredItem[]): Promise<void> {
  const kept = new Set(items.map(keyText));
  const stored = new Map((await rawItems()).map((item) => [keyText(item), item]));
  const gone = [...stored.values()].filter((item) => !kept.has(keyText(item)));
  const changed = items.filter((item) => !isDeepStrictEqual(item, stored.get(keyText(item))));
  const requests = [
    ...gone.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
    ...changed.map((item) => ({ PutRequest: { Item: item } })),
  ];
  for (let from = 0; from < requests.length; from += BATCH_WRITE_MAX) {
    const batch = requests.slice(from, from + BATCH_WRITE_MAX);
    await callTable('BatchWriteItem', { RequestItems: { [tableName()]: batch } });
  }
}

function keyText({ pk, sk }: StoredItem): string {
  return `${pk} ${sk}`;
}
