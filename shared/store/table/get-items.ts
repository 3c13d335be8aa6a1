import { chunksOf } from '../../concurrency/chunks-of.ts';
import { callTable, type StepName, tableName } from './client.ts';
import type { StoredItem } from './item.ts';
import type { Key } from './keys.ts';
import { untilProcessed } from './until-processed.ts';

/** DynamoDB's limit for one batch. */
const BATCH_GET_MAX = 100;

/**
 * The items of these keys that exist, in any order, as of now (a consistent read). All batches go out at once.
 * @param keys some hundreds at most
 * @throws Problem `temporarily_unavailable` where the store keeps leaving some keys unprocessed
 */
export async function getItems(keys: readonly Key[], step?: StepName): Promise<StoredItem[]> {
  const batches = chunksOf(BATCH_GET_MAX, keys).map((batch) => getBatch(batch, step));
  return (await Promise.all(batches)).flat();
}

async function getBatch(keys: readonly Key[], step: StepName | undefined): Promise<StoredItem[]> {
  const found: StoredItem[] = [];
  const named: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  await untilProcessed(named, async (rest) => {
    const output = await callTable(
      'BatchGetItem',
      { RequestItems: { [tableName()]: { Keys: rest, ConsistentRead: true } } },
      step,
    );
    found.push(...(output.Responses?.[tableName()] ?? []));
    return output.UnprocessedKeys?.[tableName()]?.Keys;
  });
  return found;
}
