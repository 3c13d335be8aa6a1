import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { Problem } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** DynamoDB's limit for one batch. */
const BATCH_GET_MAX = 100;
const BATCH_ROUNDS_MAX = 5;
const BATCH_PAUSE_MS = 20;

/**
 * The items of these keys that exist, in any order, as of now (a consistent read). All batches go out at once.
 * @param keys some hundreds at most
 * @throws Problem `temporarily_unavailable` where the store keeps leaving some keys unprocessed
 */
export async function getItems(keys: readonly Key[]): Promise<Item[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / BATCH_GET_MAX) }, (_, batch) =>
    getBatch(keys.slice(batch * BATCH_GET_MAX, (batch + 1) * BATCH_GET_MAX)),
  );
  return (await Promise.all(batches)).flat();
}

async function getBatch(keys: readonly Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let rest: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let round = 1; rest.length > 0; round += 1) {
    if (round > BATCH_ROUNDS_MAX) {
      throw new Problem('temporarily_unavailable');
    }
    const answer = await documents.send(
      new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: rest, ConsistentRead: true } } }),
    );
    found.push(...(answer.Responses?.[tableName()] ?? []));
    rest = answer.UnprocessedKeys?.[tableName()]?.Keys ?? [];
    if (rest.length > 0) {
      await sleep(BATCH_PAUSE_MS * round);
    }
  }
  return found;
}
