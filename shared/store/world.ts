import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { formatNumber } from '../domain/id.ts';
import { perResource, RESOURCE_NAMES, type ResourceName } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { documents, tableName } from './client.ts';
import { pastTransactions, type Write } from './commit.ts';
import { getItem, type Item } from './item.ts';
import { worldKey } from './keys.ts';

/** Where a world counts the numbers that it has given out. */
export function counterOf(name: ResourceName): string {
  return `${name}Count`;
}

export async function findWorld(worldId: string): Promise<World | null> {
  const item = await getItem(worldKey(worldId));
  return item === undefined ? null : toWorld(item);
}

/**
 * The world of something that comes from one: worlds are never deleted.
 * @throws Error where there is none all the same
 */
export async function getWorld(worldId: string): Promise<World> {
  const world = await findWorld(worldId);
  if (world === null) {
    throw new Error('there is no such world');
  }
  return world;
}

/** A world as it begins: first epoch, real time, nothing counted. */
export function newWorldItem(world: Pick<World, 'id' | 'merchant' | 'mode' | 'displayName'>) {
  return { ...worldKey(world.id), ...world, epoch: 1, clockOffsetMs: 0 };
}

/**
 * Takes the next number of a kind: the one write per merchant that is serial, at most 1,000 a second (DynamoDB's limit
 * for one item). A number whose request is then refused stays unused (contract §13: gaps are possible).
 * @throws Problem `temporarily_unavailable` where the world was purged since it was read
 */
export async function takeNumber(world: World, name: ResourceName): Promise<string> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: worldKey(world.id),
    UpdateExpression: 'ADD #counter :one',
    ConditionExpression: 'epoch = :epoch',
    ExpressionAttributeNames: { '#counter': counterOf(name) },
    ExpressionAttributeValues: { ':one': 1, ':epoch': world.epoch },
    ReturnValues: 'UPDATED_NEW',
  });
  // The runner counts events on the same item, in transactions.
  const counted = pastTransactions(() => documents.send(command));
  const answer = await counted.catch((error: Error) => {
    // A purge has come in between: the request began in a world that is gone, and may begin again in the new one.
    throw error.name === 'ConditionalCheckFailedException' ? new Problem('temporarily_unavailable') : error;
  });
  return formatNumber(name, Number(answer.Attributes?.[counterOf(name)]));
}

/**
 * Gives out many numbers at once, those after the ones that were given out when the world was read: it holds only while
 * no other number was given out, and no purge came, in between.
 */
export function takeNumbers(world: World, howMany: World['counts']): Write {
  const kinds = RESOURCE_NAMES.filter((name) => howMany[name] > 0);
  const { condition, values } = countersAsRead(world, kinds);
  const next = kinds.map((kind) => [`:${kind}`, world.counts[kind] + howMany[kind]]);
  return {
    update: {
      key: worldKey(world.id),
      expression: `SET ${kinds.map((kind) => `${counterOf(kind)} = :${kind}`).join(', ')}`,
      condition,
      values: { ...values, ...Object.fromEntries(next) },
    },
  };
}

/** The condition that a world is in the epoch in which it was read, and has given out no number of some kinds since. */
export function countersAsRead(world: World, names: readonly ResourceName[] = RESOURCE_NAMES) {
  const read = names.map((name) => [counterOf(name), world.counts[name]] as const);
  return {
    condition: ['epoch = :epoch', ...read.map(([name, count]) => asRead(name, count))].join(' AND '),
    values: {
      ':epoch': world.epoch,
      ...Object.fromEntries(read.map(([name, count]) => [`:${name}`, count])),
    },
  };
}

/**
 * The condition that a counter is as it was read, of which the value is named like the counter itself. One that has
 * counted nothing yet may not be there.
 */
export function asRead(name: string, read: number): string {
  return read === 0 ? `(attribute_not_exists(${name}) OR ${name} = :${name})` : `${name} = :${name}`;
}

function toWorld(item: Item): World {
  const { id, merchant, displayName, mode, epoch, clockOffsetMs } = item as unknown as World;
  const countOf = (attribute: string) => Number(item[attribute] ?? 0);
  return {
    id,
    merchant,
    ...(displayName !== undefined && { displayName }),
    mode,
    epoch,
    clockOffsetMs,
    eventCount: countOf('eventCount'),
    counts: perResource((name) => countOf(counterOf(name))),
  };
}
