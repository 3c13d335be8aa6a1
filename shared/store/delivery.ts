import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../domain/delivery.ts';
import { isId } from '../domain/id.ts';
import type { World } from '../domain/world.ts';
import { invalidFields, Problem } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import type { Change } from './commit.ts';
import { getItem, type Item, insert } from './item.ts';
import { deliveriesPk } from './keys.ts';
import type { Page, PageRequest } from './list.ts';

/** Logs an attempt. */
export function insertDelivery(world: World, delivery: Delivery): Change {
  return insert({ pk: deliveriesPk(world, delivery.sinkId), sk: delivery.id, ...delivery });
}

/**
 * @throws Problem `delivery_not_found`
 */
export async function getDelivery(world: World, sinkId: string, id: string): Promise<Delivery> {
  const item = isId('dlv', id) ? await getItem({ pk: deliveriesPk(world, sinkId), sk: id }) : undefined;
  if (item === undefined) {
    throw new Problem('delivery_not_found');
  }
  return toDelivery(item);
}

/** One page of the attempts to deliver to a sink, newest first. The cursor is the id of the last one. */
export async function listDeliveries(
  world: World,
  sinkId: string,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const { limit, after } = page;
  if (after !== undefined && !isId('dlv', after)) {
    throw invalidFields([
      { code: 'format', field: 'after', message: 'must be the next_cursor of an earlier page of this list' },
    ]);
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
  const found = (answer.Items ?? []).map(toDelivery);
  const data = found.slice(0, limit);
  return { data, nextCursor: found.length > limit ? (data.at(-1)?.id ?? null) : null };
}

function toDelivery(item: Item): Delivery {
  return item as unknown as Delivery;
}
