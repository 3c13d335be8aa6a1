import { DatabaseSync } from 'node:sqlite';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { MINUTE_MS } from '../../shared/domain/clock.ts';
import { scopeOf, type World } from '../../shared/domain/world.ts';
import type { Item } from '../../shared/store/item.ts';
import { dueSkUntil, type Key, worldKey } from '../../shared/store/keys.ts';
import { INDEXES } from '../../shared/store/table.ts';
import { storedBytes } from '../support/stored-bytes.ts';
import { type Author, type Commit, leftBy, livePayments } from './payment-life.ts';

/*
 * The file of the embedded engine, written from outside: it takes a hundred thousand items in seconds, where the
 * engine's own calls take minutes, and leaves nothing in the stream, as after a start of the host.
 */

const BUSY_MS = 10_000;

/** A table in a file of the engine. */
export interface FileTable {
  readonly file: string;
  readonly tableName: string;
}

/** Of a life: what was written until the payment was told of, while its expiry is still ahead. */
export function untilTold({ atMs }: Commit, _place: number, [first]: readonly Commit[]): boolean {
  return atMs < Number(first?.atMs) + 5 * MINUTE_MS;
}

/** Of a life: its number, its claim and the commit that creates it, of which nothing was told yet. */
export function untilCreated(_commit: Commit, place: number): boolean {
  return place < 3;
}

/** Stores what so many payments leave behind, each so far as it was lived. */
export async function storePayments(
  { file, tableName }: FileTable,
  documents: DynamoDBDocumentClient,
  author: Author,
  count: number,
  isLived: typeof untilTold = untilTold,
): Promise<void> {
  const nowMs = Date.now();
  withFile(file, (data) => {
    const put = putterOf(data, tableName);
    for (let stored = 0; stored < count; stored += 1) {
      for (const item of leftBy([...livePayments(author, [nowMs])].filter(isLived)).values()) {
        put(item);
      }
    }
  });
  const { id, counts, eventCount } = author.world;
  await documents.send(
    new UpdateCommand({
      TableName: tableName,
      Key: worldKey(id),
      UpdateExpression: 'SET paymentCount = :payments, eventCount = :events',
      ExpressionAttributeValues: { ':payments': counts.payment, ':events': eventCount },
    }),
  );
}

/** Remembers what a world holds, so that what comes later can be taken out again. */
export function markOf({ file, tableName }: FileTable, world: World): { removeLater(): void } {
  const tables = [
    { name: tableName, pk: 'pk' },
    ...Object.keys(INDEXES).map((index) => ({ name: `${tableName}::gsi::${index}`, pk: 'table_pk' })),
  ];
  const lastOf = (data: DatabaseSync, name: string) =>
    Number(data.prepare(`SELECT MAX(rowid) AS last FROM "${name}"`).get()?.last ?? 0);
  const marks = withFile(file, (data) =>
    tables.map(({ name, pk }) => ({ name, pk, last: lastOf(data, name) })),
  );
  const prefix = `S:${scopeOf(world)}#`;
  return {
    removeLater: () =>
      withFile(file, (data) => {
        for (const { name, pk, last } of marks) {
          data
            .prepare(`DELETE FROM "${name}" WHERE rowid > ? AND substr(${pk}, 1, ?) = ?`)
            .run(last, prefix.length, prefix);
        }
      }),
  };
}

/** How many jobs are due, of all merchants. */
export function countDue({ file, tableName }: FileTable, nowMs: number): number {
  return withFile(file, (data) => {
    const due = data.prepare(`SELECT COUNT(*) AS due FROM "${tableName}::gsi::due" WHERE gsi_sk <= ?`);
    return Number(due.get(`S:${dueSkUntil(nowMs)}`)?.due);
  });
}

function putterOf(data: DatabaseSync, tableName: string): (item: Key & Item) => void {
  const table = data.prepare(`INSERT INTO "${tableName}" (pk, sk, item_json, item_size) VALUES (?, ?, ?, ?)`);
  const indexes = Object.entries(INDEXES).map(([name, key]) => ({
    ...key,
    insert: data.prepare(
      `INSERT INTO "${tableName}::gsi::${name}" (gsi_pk, gsi_sk, table_pk, table_sk, item_json) VALUES (?, ?, ?, ?, ?)`,
    ),
  }));
  return (item) => {
    const { pk, sk } = item;
    const json = JSON.stringify(marshall(item, { removeUndefinedValues: true }), inBase64);
    table.run(`S:${pk}`, `S:${sk}`, json, storedBytes(item));
    for (const { partitionKey, sortKey, insert } of indexes) {
      const [indexPk, indexSk] = [item[partitionKey], item[sortKey]];
      if (indexPk !== undefined) {
        const keys = marshall({ pk, sk, [partitionKey]: indexPk, [sortKey]: indexSk });
        insert.run(`S:${indexPk}`, `S:${indexSk}`, `S:${pk}`, `S:${sk}`, JSON.stringify(keys));
      }
    }
  };
}

/** Bytes as the engine keeps them. A Buffer comes here as the list that JSON makes of it. */
function inBase64(name: string, value: unknown): unknown {
  return name === 'B' ? Buffer.from(value as Uint8Array).toString('base64') : value;
}

/** All or nothing, in one transaction. */
function withFile<Result>(file: string, act: (data: DatabaseSync) => Result): Result {
  const data = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    data.exec('BEGIN IMMEDIATE');
    const result = act(data);
    data.exec('COMMIT');
    return result;
  } finally {
    data.close();
  }
}
