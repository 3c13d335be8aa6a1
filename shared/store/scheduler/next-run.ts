import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { World } from '../../domain/world.ts';
import { documents, tableName } from '../client.ts';
import { isMet } from '../commit.ts';
import { dueIndex, nextRunKey } from '../keys.ts';

/**
 * Stores when a world whose clock was moved must run next. The due index holds each job's real due time as of when the
 * job was queued; moving the clock makes these times too late, so this one entry holds the right one.
 * @param nextJobAtMs on the merchant's clock; null where no job waits: the entry is deleted
 */
export async function setNextRun(world: World, nextJobAtMs: number | null): Promise<void> {
  const TableName = tableName();
  if (nextJobAtMs === null) {
    await documents.send(new DeleteCommand({ TableName, Key: nextRunKey(world) }));
    return;
  }
  const item = nextRunItem(world, nextJobAtMs - world.clockOffsetMs);
  const command = new PutCommand({
    TableName,
    Item: item,
    // Writing the same time again would only start the runner again, by the table's stream.
    ConditionExpression: 'attribute_not_exists(pk) OR dueSk <> :due',
    ExpressionAttributeValues: { ':due': item.dueSk },
  });
  await isMet(documents.send(command));
}

/** The entry by which the clock finds a world. @param atMs real time */
export function nextRunItem(world: World, atMs: number) {
  return { ...nextRunKey(world), ...dueIndex(world, world.id, atMs), kind: 'wake', worldId: world.id };
}
