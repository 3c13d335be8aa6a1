import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../domain/delivery.ts';
import { isId } from '../domain/id.ts';
import { DELIVERY_KEPT_DAYS, endOfKeeping } from '../domain/retention.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import type { Write } from './commit.ts';
import { fieldsOf } from './entity.ts';
import { findItem, type Item, insert, isPastEnd } from './item.ts';
import { deliveryKey, deliveryPks } from './keys.ts';
import { foreignCursor, type Page, type PageRequest } from './list.ts';
import { TABLE } from './table.ts';

/** Adds an attempt to a sink's delivery log. */
export function insertDelivery(world: World, delivery: Delivery, realNowMs: number): Write {
  return insert({
    ...deliveryKey(world, delivery.sinkId, delivery.id),
    [TABLE.ttl]: endOfKeeping(DELIVERY_KEPT_DAYS, realNowMs),
    ...delivery,
  });
}

/**
 * @throws Problem `delivery_not_found`
 */
export async function getDelivery(world: World, sinkId: string, id: string): Promise<Delivery> {
  const key = deliveryKey(world, sinkId, id);
  return fieldsOf(found(await findItem('dlv', id, key), 'delivery_not_found'));
}

/** One page of the attempts to deliver to a sink, newest first. The cursor holds the id of the page's last attempt. */
export async function listDeliveries(
  world: World,
  sinkId: string,
  { limit, after: cursor }: PageRequest,
): Promise<Page<Delivery>> {
  const after = cursor && Buffer.from(cursor, 'base64url').toString();
  if (after !== undefined && !isId('dlv', after)) {
    throw foreignCursor();
  }
  const shards = await Promise.all(deliveryPks(world, sinkId).map((pk) => newestOf(pk, after, limit + 1)));
  const deliveries = shards
    .flat()
    .toSorted((a, b) => (String(a.sk) < String(b.sk) ? 1 : -1))
    .slice(0, limit + 1);
  const page = deliveries.slice(0, limit);
  const last = deliveries.length > limit ? page.at(-1) : undefined;
  return {
    data: page.filter((item) => !isPastEnd(item)).map((item) => fieldsOf<Delivery>(item)),
    nextCursor: last === undefined ? null : Buffer.from(String(last.sk)).toString('base64url'),
  };
}

/** The newest deliveries of one shard, or the newest that are older than `before`. */
async function newestOf(pk: string, before: string | undefined, limit: number): Promise<Item[]> {
  const answer = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: before === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :before',
      ExpressionAttributeValues: { ':pk': pk, ...(before !== undefined && { ':before': before }) },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return answer.Items ?? [];
}
