import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import '../../support/world/merchant.ts';
import { newId } from '../../../shared/domain/id.ts';
import type { JobPk } from '../../../shared/store/table/keys.ts';
import { aWorld } from '../../support/world/entities.ts';

const { commit } = await import('../../../shared/store/table/commit.ts');
const { remove } = await import('../../../shared/store/table/item.ts');
const { insertJob } = await import('../../../shared/store/scheduler/job.ts');
const { callTable, tableName } = await import('../../../shared/store/table/client.ts');
const { byWorld, countDueJobs, findDueWork, isAnyDue, nextJobAt, readDueJobs } = await import(
  '../../../shared/store/scheduler/due.ts'
);
const { dueIndex, jobPks } = await import('../../../shared/store/table/keys.ts');

const BATCH_WRITE_MAX = 25;
/** More than a page of the index holds: a megabyte. */
const CROWD = 1_000;
/** All of them in one shard. */
const SUBJECT = randomUUID();
const LONG_KEY = 'x'.repeat(1_500);

const stored: { readonly pk: string; readonly sk: string }[] = [];

const pkOf = (worldId: string, shard = 0) => `${worldId}.1#JOBS#${LONG_KEY}#${shard}`;

async function queue(worldId: string, count: number, dueAtMs: number): Promise<void> {
  const world = { ...aWorld(), id: worldId };
  const items = Array.from({ length: count }, (_, shard) => ({
    pk: pkOf(worldId, shard),
    sk: 'TEST',
    ...dueIndex(world, SUBJECT, dueAtMs),
  }));
  stored.push(...items);
  for (let from = 0; from < items.length; from += BATCH_WRITE_MAX) {
    const batch = items.slice(from, from + BATCH_WRITE_MAX).map((item) => ({ PutRequest: { Item: item } }));
    await callTable('BatchWriteItem', { RequestItems: { [tableName()]: batch } });
  }
}

afterAll(async () => {
  for (let from = 0; from < stored.length; from += BATCH_WRITE_MAX) {
    const keys = stored.slice(from, from + BATCH_WRITE_MAX).map(({ pk, sk }) => ({ pk, sk }));
    const batch = keys.map((Key) => ({ DeleteRequest: { Key } }));
    await callTable('BatchWriteItem', { RequestItems: { [tableName()]: batch } });
  }
}, 60_000);

describe("a world's jobs", () => {
  test('are read over all shards, those of each in due order, only as far as none is missing', {
    tags: 'slow',
  }, async () => {
    const world = { ...aWorld(), id: randomUUID() };
    const crowdedId = newId('pay', 0);
    // Every shard has some, and one has more than are read at once.
    const subjects = [
      ...Array.from({ length: 40 }, () => newId('pay', 0)),
      ...Array.from({ length: 120 }, () => crowdedId),
    ];
    const jobs = subjects.map((paymentId, shard) =>
      insertJob(world, { kind: 'expire-payment', paymentId, dueAtMs: 1_000 + ((shard * 37) % 160) }),
    );
    const items = jobs.flatMap((change) => ('put' in change ? [change.put.item] : []));
    stored.push(...items);
    for (let from = 0; from < jobs.length; from += BATCH_WRITE_MAX) {
      await commit(jobs.slice(from, from + BATCH_WRITE_MAX));
    }
    const all = items.map(({ sk }) => String(sk)).toSorted();
    const first = await readDueJobs(jobPks(world), 9_999);
    for (const shard of Map.groupBy(first.items, ({ pk }) => pk).values()) {
      expect(shard.map(({ sk }) => sk)).toEqual(shard.map(({ sk }) => sk).toSorted());
    }
    const read = first.items.map(({ sk }) => String(sk)).toSorted();
    expect(first.isAll).toBe(false);
    expect(read.length).toBeGreaterThan(100);
    expect(read).toEqual(all.filter((sk) => sk <= first.horizon));
    expect(read).toEqual(all.slice(0, read.length));
    const early = await readDueJobs(jobPks(world), 1_049);
    expect(early.isAll).toBe(true);
    expect(early.items).toHaveLength(50);
    expect(await countDueJobs(jobPks(world), 9_999)).toBe(all.length);
    expect(await countDueJobs(jobPks(world), 1_049)).toBe(50);
    expect(await countDueJobs(jobPks(world), 999)).toBe(0);
    expect(await nextJobAt(jobPks(world))).toBe(1_000);
    expect(await nextJobAt(jobPks({ ...world, epoch: 2 }))).toBeNull();
    // A deletion of the service's own is run like the others, and counted nowhere.
    const own = insertJob(world, { kind: 'delete-endpoint', endpointId: newId('whe', 0), dueAtMs: 500 });
    await commit([own]);
    const { items: due } = await readDueJobs(jobPks(world), 999);
    expect(due.map(({ kind }) => kind)).toEqual(['delete-endpoint']);
    expect((await readDueJobs(jobPks(world), 999, 'merchant')).items).toEqual([]);
    expect(await isAnyDue(jobPks(world), 999)).toBe(false);
    expect(await isAnyDue(jobPks(world), 1_000)).toBe(true);
    expect(await countDueJobs(jobPks(world), 9_999)).toBe(all.length);
    expect(await nextJobAt(jobPks(world))).toBe(1_000);
    await commit(due.map(({ pk, sk }) => remove({ pk: String(pk), sk: String(sk) })));
    // Reads these partitions alone.
    const pks = [...new Set(items.map(({ pk }) => pk as JobPk))];
    expect(pks.length).toBeGreaterThan(1);
    const crowdedPk = pks.find((pk) => items.filter((item) => item.pk === pk).length >= 120);
    const others = await readDueJobs(
      pks.filter((pk) => pk !== crowdedPk),
      9_999,
    );
    expect(others.isAll).toBe(true);
    expect(others.items.map(({ sk }) => String(sk)).toSorted()).toEqual(
      items
        .filter(({ pk }) => pk !== crowdedPk)
        .map(({ sk }) => String(sk))
        .toSorted(),
    );
  });
});

describe('the clock', () => {
  test('finds a world after thousands of due jobs of another one', { tags: 'slow' }, async () => {
    const [crowded, nextWorld, later] = [randomUUID(), randomUUID(), randomUUID()];
    // Long ago, so that nothing of another test is before them.
    await queue(crowded, CROWD, 1_000);
    await queue(nextWorld, 1, 2_000);
    await queue(later, 1, 4_000);
    const { pks, oldestDueAtMs } = await findDueWork('test', 3_000);
    expect(pks.get(crowded)).toEqual(
      new Set(Array.from({ length: CROWD }, (_, shard) => pkOf(crowded, shard))),
    );
    expect(pks.get(nextWorld)).toEqual(new Set([pkOf(nextWorld)]));
    expect(pks.has(later)).toBe(false);
    expect(oldestDueAtMs).toBe(1_000);
  });

  test('and the table agree to which world a partition belongs, in whatever epoch', () => {
    const world = aWorld();
    const [first, second] = [jobPks(world), jobPks({ ...world, epoch: 2 })];
    const other = jobPks({ ...world, id: 'another' });
    expect(byWorld([...first, ...other, ...second, ...first])).toEqual(
      new Map([
        [world.id, new Set([...first, ...second])],
        ['another', new Set(other)],
      ]),
    );
  });
});
