import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { Problem } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import type { Write } from './commit.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** DynamoDB's limit for one batch. */
const BATCH_WRITE_MAX = 25;
const BATCH_ROUNDS_MAX = 8;
const BATCH_PAUSE_MS = 20;

/**
 * Writes items and deletes others, each by itself, in any order and under no condition: only for what may be done twice.
 * @throws Problem `temporarily_unavailable` where the store keeps leaving some of it undone
 */
export async function writeAll(puts: readonly (Key & Item)[], deletes: readonly Key[]): Promise<void> {
  const requests = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...deletes.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  for (let from = 0; from < requests.length; from += BATCH_WRITE_MAX) {
    await writeBatch(requests.slice(from, from + BATCH_WRITE_MAX));
  }
}

/** The items that writes put, without their conditions. */
export function itemsOf(writes: readonly Write[]): (Key & Item)[] {
  return writes.flatMap((write) => ('put' in write ? [write.put.item] : []));
}

type Requests = NonNullable<ConstructorParameters<typeof BatchWriteCommand>[0]['RequestItems']>[string];

async function writeBatch(requests: Requests): Promise<void> {
  let rest = requests;
  for (let round = 1; rest.length > 0; round += 1) {
    if (round > BATCH_ROUNDS_MAX) {
      throw new Problem('temporarily_unavailable');
    }
    const answer = await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: rest } }));
    rest = answer.UnprocessedItems?.[tableName()] ?? [];
    if (rest.length > 0) {
      await sleep(BATCH_PAUSE_MS * round);
    }
  }
}
