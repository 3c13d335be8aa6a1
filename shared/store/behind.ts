import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { World } from '../domain/world.ts';
import { documents, tableName } from './client.ts';
import { isMet, pastTransactions, type Write } from './commit.ts';
import { worldKey } from './keys.ts';
import { IS_EPOCH_OPEN } from './world.ts';

/*
 * Receivers for which first attempts wait are named in the world, which is read before anything is sent: so whoever
 * tells of a later event of the same resource lets it wait behind the earlier one.
 */

/** Names receivers, in the transaction that lets first attempts wait for them. */
export function nameBehind(world: World, receiverIds: readonly string[]): Write {
  return {
    update: {
      key: worldKey(world.id),
      expression: 'ADD behind :ids, behindVersion :one',
      condition: `attribute_exists(pk) AND ${IS_EPOCH_OPEN}`,
      values: { ':ids': new Set(receiverIds), ':one': 1, ':epoch': world.epoch },
    },
  };
}

/**
 * Ends that a receiver is named, since nothing waits for it any more.
 * @param world as it was before this was seen
 * @returns false where something was left to wait since
 */
export async function endBehind(world: World, receiverId: string): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: worldKey(world.id),
    UpdateExpression: 'DELETE behind :ids',
    ConditionExpression: `${IS_EPOCH_OPEN} AND behindVersion = :read`,
    ExpressionAttributeValues: {
      ':ids': new Set([receiverId]),
      ':epoch': world.epoch,
      ':read': world.behindVersion,
    },
  });
  return isMet(pastTransactions(() => documents.send(command)));
}
