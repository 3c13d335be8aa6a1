import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { World } from '../domain/world.ts';
import { documents, tableName } from './client.ts';
import { isMet, pastTransactions, type Write } from './commit.ts';
import { worldKey } from './keys.ts';
import { BACKLOG, BACKLOG_VERSION } from './table.ts';
import { IS_EPOCH_OPEN } from './world.ts';

/*
 * The world names the endpoints for which first attempts are queued. Every runner reads the world before it sends
 * anything, so a later event of the same resource is queued after the earlier one.
 */

/** Marks endpoints, in the transaction that queues first attempts for them. */
export function markBacklogged(world: World, endpointIds: readonly string[]): Write {
  return {
    update: {
      key: worldKey(world.id),
      expression: `ADD ${BACKLOG} :ids, ${BACKLOG_VERSION} :one`,
      condition: `attribute_exists(pk) AND ${IS_EPOCH_OPEN}`,
      values: { ':ids': new Set(endpointIds), ':one': 1, ':epoch': world.epoch },
    },
  };
}

/**
 * Clears the mark of an endpoint whose queue is empty.
 * @param world as it was before the queue was seen empty
 * @returns false where more was queued since
 */
export async function clearBacklog(world: World, endpointId: string): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: worldKey(world.id),
    UpdateExpression: `DELETE ${BACKLOG} :ids`,
    ConditionExpression: `${IS_EPOCH_OPEN} AND ${BACKLOG_VERSION} = :read`,
    ExpressionAttributeValues: {
      ':ids': new Set([endpointId]),
      ':epoch': world.epoch,
      ':read': world.backlogVersion,
    },
  });
  return isMet(pastTransactions(() => documents.send(command)));
}
