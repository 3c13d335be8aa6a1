import type { World } from '../../domain/world.ts';
import { callTable } from '../table/client.ts';
import { writeOne } from '../table/commit.ts';
import { dueIndex, isNextRun, keyOfNextRun, nextRunKey } from '../table/keys.ts';

/**
 * The condition that the clock was not moved since a world was read: what a late runner has seen is older than what the
 * move has stored. Of an entry that is gone, nothing is to be kept.
 */
const IS_CLOCK_AS_READ = 'attribute_not_exists(clockVersion) OR clockVersion <= :version';

/**
 * Stores when a world whose clock was moved must run next. The due index holds each job's real due time as of when the
 * job was queued; moving the clock makes these times too late, so this one entry holds the right one. Nothing is stored
 * where the clock was moved since the world was read.
 * @param nextJobAtMs on the merchant's clock; null where no job waits: the entry is deleted
 */
export async function setNextRun(world: World, nextJobAtMs: number | null): Promise<void> {
  const values = { ':version': world.clockVersion };
  if (nextJobAtMs === null) {
    await writeOne({ remove: { key: nextRunKey(world), condition: IS_CLOCK_AS_READ, values } });
    return;
  }
  const item = nextRunItem(world, nextJobAtMs - world.clockOffsetMs);
  // Writing the same time again would only start the runner again, by the table's stream.
  const condition = `(${IS_CLOCK_AS_READ}) AND (attribute_not_exists(pk) OR dueSk <> :due)`;
  await writeOne({ put: { item, condition, values: { ...values, ':due': item.dueSk } } });
}

/**
 * Deletes entries that a late runner wrote for an ended epoch, or for a world that is gone: nobody else would, and the
 * clock would find them every minute.
 * @param world as it was read after the entries
 * @param pks partitions of its epochs
 */
export async function dropLateNextRuns(world: World | null, pks: Iterable<string>): Promise<void> {
  const late = [...pks].filter(isNextRun).filter((pk) => world === null || pk !== nextRunKey(world).pk);
  await Promise.all(late.map((pk) => callTable('DeleteItem', { Key: keyOfNextRun(pk) })));
}

/** The entry by which the clock finds a world. @param atMs real time */
export function nextRunItem(world: World, atMs: number) {
  const { id, clockVersion } = world;
  return { ...nextRunKey(world), ...dueIndex(world, id, atMs), kind: 'next-run', worldId: id, clockVersion };
}
