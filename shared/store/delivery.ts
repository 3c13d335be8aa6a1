import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../domain/delivery.ts';
import { isId } from '../domain/id.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import type { Change } from './commit.ts';
import { findEntity, type Item, insert } from './item.ts';
import { deliveriesPk } from './keys.ts';
import { foreignCursor, type Page, type PageRequest } from './list.ts';

/** Logs an attempt. */
export function insertDelivery(world: World, delivery: Delivery): Change {
  return insert({ pk: deliveriesPk(world, delivery.sinkId), sk: delivery.id, ...delivery });
}

/**
 * @throws Problem `delivery_not_found`
 */
export async function getDelivery(world: World, sinkId: string, id: string): Promise<Delivery> {
  const key = { pk: deliveriesPk(world, sinkId), sk: id };
  return found(await findEntity('dlv', id, key, toDelivery), 'delivery_not_found');
}

/** One page of the attempts to deliver to a sink, newest first. The cursor holds the id of the last one. */
export async function listDeliveries(
  world: World,
  sinkId: string,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const { limit } = page;
  const after = page.after && Buffer.from(page.after, 'base64url').toString();
  if (after !== undefined && !isId('dlv', after)) {
    throw foreignCursor();
  }
  const answer = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :after',
      ExpressionAttributeValues: {
        ':pk': deliveriesPk(world, sinkId),
        ...(after !== undefined && { ':after': after }),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit + 1,
    }),
  );
  const deliveries = (answer.Items ?? []).map(toDelivery);
  const data = deliveries.slice(0, limit);
  const last = deliveries.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last === undefined ? null : Buffer.from(last.id).toString('base64url') };
}

function toDelivery(item: Item): Delivery {
  return item as unknown as Delivery;
}
