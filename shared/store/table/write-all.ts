import { chunksOf } from '../../concurrency/chunks-of.ts';
import { mapLimit } from '../../concurrency/map-limit.ts';
import { callTable, type StepName, type TableInput, tableName } from './client.ts';
import { type Write, writeOne } from './commit.ts';
import { insert, type StoredItem } from './item.ts';
import type { Key } from './keys.ts';
import { untilProcessed } from './until-processed.ts';

/** DynamoDB's limit for one batch. */
const BATCH_WRITE_MAX = 25;
const PUT_AT_ONCE = 16;

type WriteRequest = NonNullable<TableInput<'BatchWriteItem'>['RequestItems']>[string][number];

/**
 * Writes items and deletes others, each by itself, in any order, without conditions: only for what may be done twice.
 * @throws Problem `temporarily_unavailable` where the store keeps leaving some of it undone
 */
export async function writeAll(puts: readonly (Key & StoredItem)[], deletes: readonly Key[]): Promise<void> {
  const requests = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...deletes.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  for (const batch of chunksOf<WriteRequest>(BATCH_WRITE_MAX, requests)) {
    await untilProcessed<WriteRequest>(batch, async (rest) => {
      const output = await callTable('BatchWriteItem', { RequestItems: { [tableName()]: rest } });
      return output.UnprocessedItems?.[tableName()];
    });
  }
}

/** Writes items that are not there yet, each by itself, in any order: existing items stay. */
export async function insertAll(items: readonly (Key & StoredItem)[], step?: StepName): Promise<void> {
  await mapLimit(PUT_AT_ONCE, items, (item) => writeOne(insert(item), step));
}

/** The items that writes put, without their conditions. */
export function itemsOf(writes: readonly Write[]): (Key & StoredItem)[] {
  return writes.flatMap((write) => ('put' in write ? [write.put.item] : []));
}
