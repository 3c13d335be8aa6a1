import { perResource, RESOURCE_NAMES, type ResourceName } from '../../domain/resource.ts';
import { formatNumber } from '../../domain/resource-number.ts';
import { hasEnded, type World } from '../../domain/world.ts';
import { Problem } from '../../errors/problem.ts';
import { callTable } from '../table/client.ts';
import { type Condition, pastTransactions, type Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItem, type StoredItem, update } from '../table/item.ts';
import { scopeOf, worldKey } from '../table/keys.ts';
import {
  BACKLOG_VERSION,
  BACKLOGGED_ENDPOINTS,
  COPIED_AT,
  ENDED_EPOCH,
  FORK_SOURCE,
  UNDELETED_EPOCH,
  WORLD_END,
} from '../table/table.ts';
import { NumberRanges } from './number-ranges.ts';

/**
 * The condition that no purge has ended a world's epoch since it was read; its number is passed as `:epoch`. A function
 * that may name an attribute in a condition may set it, so only a purge's condition names the epoch itself.
 */
const IS_EPOCH_OPEN = `(attribute_not_exists(${ENDED_EPOCH}) OR ${ENDED_EPOCH} < :epoch)`;

/**
 * Changes attributes of a world, unless a purge has ended its epoch since it was read, or the condition does not hold.
 * @param values of the expression and the condition
 */
export function updateWorld(
  { id, epoch }: World,
  expression: string,
  condition: string,
  values: Condition['values'],
): Write {
  const isOpen = `${IS_EPOCH_OPEN} AND (${condition})`;
  return update(worldKey(id), expression, { condition: isOpen, values: { ...values, ':epoch': epoch } });
}

/** The attribute of a world that counts the numbers assigned for a kind of resource. */
export function counterOf(name: ResourceName): string {
  return `${name}Count`;
}

/** Counters as attributes; those that are 0 are left out. */
export function countersOf(counts: World['counts']): Readonly<Record<string, number>> {
  const counted = RESOURCE_NAMES.filter((name) => counts[name] > 0);
  return Object.fromEntries(counted.map((name) => [counterOf(name), counts[name]]));
}

/** A world as it is stored, with what runners find their work by. */
export interface StoredWorld extends World {
  /** The newest block of the event log, or the one before; null without events. A search for the end starts there. */
  readonly eventBlock: number | null;
  /** Endpoints for which first attempts are queued. */
  readonly backloggedEndpoints: ReadonlySet<string>;
  /** Raised each time that first attempts are queued. */
  readonly backlogVersion: number;
  /**
   * For a created world whose epoch has ended: the epoch whose items are still to be deleted, 0 once jobs do that; else
   * null.
   */
  readonly undeletedEpoch: number | null;
  /** The world whose content this one still gets: until it has all, nothing in it is found or done; else null. */
  readonly forkSource: ForkSource | null;
}

/** No copy of a fork goes on. */
export const NO_COPY = 0;

/** The source of a fork, in one epoch. */
export interface ForkSource extends Pick<World, 'id' | 'epoch'> {
  /** Real time, renewed while it goes on: when the last copy was begun, or `NO_COPY`. */
  readonly copiedAtMs: number;
}

/** A world as it was read, and the time on its clock. */
export interface Moment {
  readonly world: StoredWorld;
  /** On the merchant's clock. */
  readonly nowMs: number;
}

export async function findWorld(worldId: string): Promise<StoredWorld | null> {
  const item = await getItem(worldKey(worldId), 'read world');
  return item === undefined ? null : toWorld(item);
}

/** A world in which something can be found: null where it has ended, or is a fork that is not whole yet. */
export async function findOpenWorld(worldId: string): Promise<StoredWorld | null> {
  const world = await findWorld(worldId);
  return world === null || world.forkSource !== null || hasEnded(world, Date.now()) ? null : world;
}

/**
 * A world that must exist: of those that were created, until days after its end.
 * @throws Error where it does not
 */
export async function getWorld(worldId: string): Promise<StoredWorld> {
  const world = await findWorld(worldId);
  if (world === null) {
    throw new Error('there is no such world');
  }
  return world;
}

/** The item of a new world: first epoch, real time, nothing counted. */
export function newWorldItem(world: Pick<World, 'id' | 'merchant' | 'mode' | 'displayName' | 'logoUrl'>) {
  const { id, merchant, mode, displayName, logoUrl } = world;
  return { ...worldKey(id), id, merchant, mode, displayName, logoUrl, epoch: 1, clockOffsetMs: 0 };
}

const ranges = new NumberRanges();

/**
 * Takes the next number of a kind. All of a merchant's requests write this one item, at most 1,000 times a second
 * (DynamoDB's limit): for a live world, a busy process takes several at once. Numbers that are not used leave a gap
 * (contract §13), as where the request is refused later.
 * @throws Problem `temporarily_unavailable` where the world was purged, or its clock moved, since it was read
 */
export async function takeNumber(world: World, name: ResourceName): Promise<string> {
  // A test world can be purged, and its clock moved: each of its numbers asks whether it was.
  const number = await (world.mode === 'live'
    ? ranges.next(`${name} ${scopeOf(world)}`, (howMany) => count(world, name, howMany))
    : count(world, name, 1));
  return formatNumber(name, number);
}

/**
 * Counts on. The clock is a condition, so that what a request decides by the clock is bound to the clock that it read.
 * @returns the count by then
 */
async function count(world: World, name: ResourceName, howMany: number): Promise<number> {
  const counting = {
    Key: worldKey(world.id),
    UpdateExpression: 'ADD #counter :many',
    ConditionExpression: `attribute_exists(pk) AND ${IS_EPOCH_OPEN} AND ${asRead('clockVersion', world.clockVersion)}`,
    ExpressionAttributeNames: { '#counter': counterOf(name) },
    ExpressionAttributeValues: {
      ':many': howMany,
      ':epoch': world.epoch,
      ':clockVersion': world.clockVersion,
    },
    ReturnValues: 'UPDATED_NEW',
  } as const;
  // The runner's transactions count events on the same item, so collisions happen.
  const counted = pastTransactions(() => callTable('UpdateItem', counting, 'take number'));
  const output = await counted.catch((error: Error) => {
    // After a purge, a retry of the request starts in the new epoch; after a move, the request is decided again.
    throw error.name === 'ConditionalCheckFailedException' ? new Problem('temporarily_unavailable') : error;
  });
  return Number(output.Attributes?.[counterOf(name)]);
}

/**
 * Takes many numbers at once, after those that were assigned when the world was read. Conflicts where another number
 * was assigned, or a purge came, since then.
 */
export function takeNumbers(world: World, howMany: World['counts']): Write {
  const kinds = RESOURCE_NAMES.filter((name) => howMany[name] > 0);
  const { condition, values } = countersAsRead(world, kinds);
  const next = kinds.map((kind) => [`:${kind}`, world.counts[kind] + howMany[kind]]);
  const expression = `SET ${kinds.map((kind) => `${counterOf(kind)} = :${kind}`).join(', ')}`;
  return updateWorld(world, expression, condition, { ...values, ...Object.fromEntries(next) });
}

/** The condition that a world's counters of these kinds are as they were read. */
export function countersAsRead(world: World, names: readonly ResourceName[] = RESOURCE_NAMES) {
  const read = names.map((name) => [counterOf(name), world.counts[name]] as const);
  return {
    condition: ['attribute_exists(pk)', ...read.map(([name, count]) => asRead(name, count))].join(' AND '),
    values: Object.fromEntries(read.map(([name, count]) => [`:${name}`, count])),
  };
}

/**
 * The condition that a counter is as it was read; its value is passed as `:<name>`. A counter that is still 0 may be
 * missing from the item.
 */
function asRead(name: string, read: number): string {
  return read === 0 ? `(attribute_not_exists(${name}) OR ${name} = :${name})` : `${name} = :${name}`;
}

export function toWorld(item: StoredItem): StoredWorld {
  const {
    id,
    merchant,
    displayName,
    logoUrl,
    mode,
    epoch,
    clockOffsetMs,
    movedToMs = null,
    provider = null,
    created,
  } = fieldsOf<World>(item);
  const countOf = (attribute: string) => Number(item[attribute] ?? 0);
  return {
    id,
    merchant,
    ...(displayName !== undefined && { displayName }),
    ...(logoUrl !== undefined && { logoUrl }),
    // An item of its own, so that a function may change the end alone.
    ...(created !== undefined && { created: { ...created, expiresAtMs: Number(item[WORLD_END]) } }),
    mode,
    epoch,
    clockOffsetMs,
    clockVersion: countOf('clockVersion'),
    movedToMs,
    eventBlock: item.eventBlock === undefined ? null : Number(item.eventBlock),
    backloggedEndpoints: new Set(item[BACKLOGGED_ENDPOINTS] as Iterable<string> | undefined),
    backlogVersion: countOf(BACKLOG_VERSION),
    undeletedEpoch: item[UNDELETED_EPOCH] === undefined ? null : Number(item[UNDELETED_EPOCH]),
    forkSource:
      item[FORK_SOURCE] === undefined
        ? null
        : { ...(item[FORK_SOURCE] as ForkSource), copiedAtMs: countOf(COPIED_AT) },
    provider,
    counts: perResource((name) => countOf(counterOf(name))),
  };
}
