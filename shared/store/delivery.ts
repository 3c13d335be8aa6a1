import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../domain/delivery.ts';
import { isId } from '../domain/id.ts';
import { DELIVERY_KEPT_DAYS, endOfKeeping } from '../domain/retention.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import type { Write } from './commit.ts';
import { readEventsAt } from './event-log.ts';
import { type Item, isPastEnd, put } from './item.ts';
import { deliveryKey, deliveryPks } from './keys.ts';
import { foreignCursor, type Page, type PageRequest } from './list.ts';
import { pack, unpack } from './packed.ts';
import { TABLE } from './table.ts';

/** An attempt with what was sent: the event's body. */
export type LoggedDelivery = Delivery & { readonly body: string };

/**
 * Logs attempts to deliver to a receiver that were made at one instant, in the order of their ids. Attempts that are made
 * again after a crash have the same ids, and take the place of the first ones.
 * @throws Error where there is none
 */
export function logDeliveries(world: World, deliveries: readonly Delivery[], realNowMs: number): Write {
  const [first] = deliveries;
  if (first === undefined) {
    throw new Error('an entry of the log has at least one attempt');
  }
  const { endpointId, id } = first;
  return put({
    ...deliveryKey(world, endpointId, id),
    [TABLE.ttl]: endOfKeeping(DELIVERY_KEPT_DAYS, realNowMs),
    data: pack(JSON.stringify(deliveries)),
  });
}

/**
 * @throws Problem `delivery_not_found`
 */
export async function getDelivery(world: World, endpointId: string, id: string): Promise<Delivery> {
  const { pk } = isId('dlv', id) ? deliveryKey(world, endpointId, id) : { pk: '' };
  const items = pk === '' ? [] : await newestOf(pk, { condition: 'sk <= :id', values: { ':id': id } }, 1);
  const attempts = items.filter((item) => !isPastEnd(item)).flatMap(deliveriesOf);
  return found(
    attempts.find((attempt) => attempt.id === id),
    'delivery_not_found',
  );
}

/** One page of the attempts to deliver to a receiver, newest first. The cursor holds the id of the page's last attempt. */
export async function listDeliveries(
  world: World,
  endpointId: string,
  { limit, after: cursor }: PageRequest,
): Promise<Page<LoggedDelivery>> {
  const after = cursor && Buffer.from(cursor, 'base64url').toString();
  if (after !== undefined && !isId('dlv', after)) {
    throw foreignCursor();
  }
  const before = after === undefined ? undefined : { condition: 'sk < :id', values: { ':id': after } };
  const shards = await Promise.all(
    deliveryPks(world, endpointId).map((pk) => newestOf(pk, before, limit + 1)),
  );
  const attempts = shards
    .flat()
    .filter((item) => !isPastEnd(item))
    .flatMap(deliveriesOf)
    .filter(({ id }) => after === undefined || id < after)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const page = attempts.slice(0, limit);
  const events = await readEventsAt(world, ...page.map(({ place }) => place));
  const bodies = new Map(events.map(({ sequence, body }) => [sequence, body]));
  const last = attempts.length > limit ? page.at(-1) : undefined;
  return {
    // An event is kept longer than its deliveries.
    data: page.map((attempt) => ({ ...attempt, body: bodies.get(attempt.sequence) ?? '' })),
    nextCursor: last === undefined ? null : Buffer.from(last.id).toString('base64url'),
  };
}

interface Bound {
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The newest items of one shard. */
async function newestOf(pk: string, bound: Bound | undefined, limit: number): Promise<Item[]> {
  const answer = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: ['pk = :pk', ...(bound ? [bound.condition] : [])].join(' AND '),
      ExpressionAttributeValues: { ':pk': pk, ...bound?.values },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return answer.Items ?? [];
}

function deliveriesOf(item: Item): Delivery[] {
  return JSON.parse(unpack(item.data as Uint8Array)) as Delivery[];
}
