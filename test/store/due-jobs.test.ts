import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import '../support/merchant.ts';
import { aWorld } from '../support/entities.ts';

const { documents, tableName } = await import('../../shared/store/client.ts');
const { findDueWorlds } = await import('../../shared/store/due-jobs.ts');
const { dueIndex } = await import('../../shared/store/keys.ts');

const BATCH_WRITE_MAX = 25;
/** More than a page of the index holds: a megabyte. */
const CROWD = 1_000;
/** All of them in one shard. */
const SUBJECT = randomUUID();
const LONG_KEY = 'x'.repeat(1_500);

const stored: { pk: string; sk: string }[] = [];

async function queue(worldId: string, count: number, dueAtMs: number): Promise<void> {
  const world = { ...aWorld(), id: worldId };
  const items = Array.from({ length: count }, (_, place) => ({
    pk: `${worldId}#${LONG_KEY}#${place}`,
    sk: 'TEST',
    ...dueIndex(world, SUBJECT, dueAtMs),
  }));
  stored.push(...items);
  for (let from = 0; from < items.length; from += BATCH_WRITE_MAX) {
    const batch = items.slice(from, from + BATCH_WRITE_MAX).map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: batch } }));
  }
}

afterAll(async () => {
  for (let from = 0; from < stored.length; from += BATCH_WRITE_MAX) {
    const keys = stored.slice(from, from + BATCH_WRITE_MAX).map(({ pk, sk }) => ({ pk, sk }));
    const batch = keys.map((Key) => ({ DeleteRequest: { Key } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: batch } }));
  }
}, 60_000);

describe('the clock', () => {
  test('finds a world behind thousands of due jobs of another one', async () => {
    const [crowded, behind, later] = [randomUUID(), randomUUID(), randomUUID()];
    // Long ago, so that nothing of another test is before them.
    await queue(crowded, CROWD, 1_000);
    await queue(behind, 1, 2_000);
    await queue(later, 1, 4_000);
    const due = await findDueWorlds(3_000);
    expect(due).toContain(crowded);
    expect(due).toContain(behind);
    expect(due).not.toContain(later);
  }, 60_000);
});
