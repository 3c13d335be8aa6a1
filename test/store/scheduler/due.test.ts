import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import '../../support/merchant.ts';
import { newId } from '../../../shared/domain/id.ts';
import { aWorld } from '../../support/entities.ts';

const { commit } = await import('../../../shared/store/commit.ts');
const { insertJob } = await import('../../../shared/store/job.ts');
const { documents, tableName } = await import('../../../shared/store/client.ts');
const { findDueWorlds, readDueJobs } = await import('../../../shared/store/scheduler/due.ts');
const { dueIndex } = await import('../../../shared/store/keys.ts');

const BATCH_WRITE_MAX = 25;
/** More than a page of the index holds: a megabyte. */
const CROWD = 1_000;
/** All of them in one shard. */
const SUBJECT = randomUUID();
const LONG_KEY = 'x'.repeat(1_500);

const stored: { readonly pk: string; readonly sk: string }[] = [];

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

describe("a world's jobs", () => {
  test('are read in due order over all shards, and no further than nothing is missing', async () => {
    const world = { ...aWorld(), id: randomUUID() };
    const crowdedId = newId('pay', 0);
    // Every shard has some, and one has more than are read at once.
    const subjects = [
      ...Array.from({ length: 40 }, () => newId('pay', 0)),
      ...Array.from({ length: 120 }, () => crowdedId),
    ];
    const jobs = subjects.map((paymentId, place) =>
      insertJob(world, { kind: 'expire-payment', paymentId, dueAtMs: 1_000 + ((place * 37) % 160) }),
    );
    const items = jobs.flatMap((change) => ('put' in change ? [change.put.item] : []));
    stored.push(...items);
    for (let from = 0; from < jobs.length; from += BATCH_WRITE_MAX) {
      await commit(jobs.slice(from, from + BATCH_WRITE_MAX));
    }
    const all = items.map(({ sk }) => String(sk)).toSorted();
    const first = await readDueJobs(world, 9_999);
    const read = first.items.map(({ sk }) => String(sk));
    expect(first.isAll).toBe(false);
    expect(read.length).toBeGreaterThan(100);
    expect(read).toEqual(all.filter((sk) => sk <= first.horizon));
    expect(read).toEqual(all.slice(0, read.length));
    const early = await readDueJobs(world, 1_049);
    expect(early.isAll).toBe(true);
    expect(early.items).toHaveLength(50);
  });
});

describe('the clock', () => {
  test('finds a world behind thousands of due jobs of another one', async () => {
    const [crowded, behind, later] = [randomUUID(), randomUUID(), randomUUID()];
    // Long ago, so that nothing of another test is before them.
    await queue(crowded, CROWD, 1_000);
    await queue(behind, 1, 2_000);
    await queue(later, 1, 4_000);
    const { worldIds, oldestDueAtMs } = await findDueWorlds(3_000);
    expect(worldIds).toContain(crowded);
    expect(worldIds).toContain(behind);
    expect(worldIds).not.toContain(later);
    expect(oldestDueAtMs).toBe(1_000);
  }, 60_000);
});
