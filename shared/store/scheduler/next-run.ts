import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { World } from '../../domain/world.ts';
import { documents, tableName } from '../client.ts';
import { dueIndex, nextRunKey } from '../keys.ts';

/**
 * Sees to it that a world whose clock was moved is looked at when its next job is due. Its jobs stand in the due index
 * by the real time that was right when they were queued; a move makes that too late, and this one entry says better.
 * @param nextJobAtMs on the merchant's clock; null where nothing waits, and nobody need look
 */
export async function setNextRun(world: World, nextJobAtMs: number | null): Promise<void> {
  const TableName = tableName();
  if (nextJobAtMs === null) {
    await documents.send(new DeleteCommand({ TableName, Key: nextRunKey(world) }));
    return;
  }
  const index = dueIndex(world, world.id, nextJobAtMs);
  await documents
    .send(
      new PutCommand({
        TableName,
        Item: { ...nextRunKey(world), ...index, kind: 'wake', worldId: world.id },
        // Writing what stands there already would only wake the runner again.
        ConditionExpression: 'attribute_not_exists(pk) OR dueSk <> :due',
        ExpressionAttributeValues: { ':due': index.dueSk },
      }),
    )
    .catch((error: Error) => {
      if (error.name !== 'ConditionalCheckFailedException') {
        throw error;
      }
    });
}
