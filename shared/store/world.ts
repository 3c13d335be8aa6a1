import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { formatNumber } from '../domain/id.ts';
import type { Counted, World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import { getItem, type Item } from './item.ts';
import { worldKey } from './keys.ts';

const COUNTER = { payment: 'paymentCount', refund: 'refundCount', paymentLink: 'paymentLinkCount' } as const;
const LETTER = { payment: 'P', refund: 'R', paymentLink: 'L' } as const;

export async function findWorld(worldId: string): Promise<World | null> {
  const item = await getItem(worldKey(worldId));
  return item === undefined ? null : toWorld(item);
}

/** A world as it begins: first epoch, real time, nothing counted. */
export function newWorldItem(world: Pick<World, 'id' | 'merchant' | 'mode'>) {
  const counters = { [COUNTER.payment]: 0, [COUNTER.refund]: 0, [COUNTER.paymentLink]: 0 };
  return { ...worldKey(world.id), ...world, epoch: 1, clockOffsetMs: 0, ...counters };
}

/**
 * Takes the next number of a kind: the one write per merchant that is serial, at most 1,000 a second (DynamoDB's limit
 * for one item). A number whose request is then refused stays unused (contract §13: gaps are possible).
 * @throws Problem `temporarily_unavailable` where the world was purged since it was read
 */
export async function takeNumber(world: World, kind: Counted): Promise<string> {
  const counted = documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: worldKey(world.id),
      UpdateExpression: 'ADD #counter :one',
      ConditionExpression: 'epoch = :epoch',
      ExpressionAttributeNames: { '#counter': COUNTER[kind] },
      ExpressionAttributeValues: { ':one': 1, ':epoch': world.epoch },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  const answer = await counted.catch((error: Error) => {
    // A purge has come in between: the request began in a world that is gone, and may begin again in the new one.
    throw error.name === 'ConditionalCheckFailedException' ? new Problem('temporarily_unavailable') : error;
  });
  return formatNumber(LETTER[kind], Number(answer.Attributes?.[COUNTER[kind]]));
}

function toWorld(item: Item): World {
  const { id, merchant, mode, epoch, clockOffsetMs } = item as unknown as World;
  const counts = {
    payment: Number(item[COUNTER.payment]),
    refund: Number(item[COUNTER.refund]),
    paymentLink: Number(item[COUNTER.paymentLink]),
  };
  return { id, merchant, mode, epoch, clockOffsetMs, counts };
}
