import type { Endpoint, EndpointChange } from '../../domain/endpoint.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItem, insert, keysIn, queryPartition, removeRead, replace } from '../table/item.ts';
import { deliveryPks, endpointKey, endpointsPk, queuePk } from '../table/keys.ts';
import { writeAll } from '../table/write-all.ts';

/** All endpoints of a world, in the order of their slots: at most 36. */
export async function readEndpoints(world: World): Promise<Endpoint[]> {
  return (await queryPartition(endpointsPk(world))).map((item) => fieldsOf<Endpoint>(item));
}

/** An endpoint as it is now, or null where it was deleted: another one may have its slot by then. */
export async function readEndpoint(world: World, { id, slot }: Endpoint): Promise<Endpoint | null> {
  const item = await getItem(endpointKey(world, slot));
  return item !== undefined && item.id === id ? fieldsOf<Endpoint>(item) : null;
}

/**
 * Writes an endpoint over the version that it was made from, or a new one into a free slot: of two for the same slot,
 * the second conflicts. So does a change of a deleted endpoint whose slot another one has.
 * @throws Error where there is none before and none after
 */
export function writeEndpoint(
  world: World,
  { before, after }: Pick<EndpointChange, 'before' | 'after'>,
): Write {
  if (after !== null) {
    const item = { ...after, ...endpointKey(world, after.slot) };
    return before === null ? insert(item) : replace(item, { version: before.version, id: before.id });
  }
  if (before === null) {
    throw new Error('a change has an endpoint before it, or after it');
  }
  return removeRead(endpointKey(world, before.slot), { version: before.version, id: before.id });
}

/**
 * Deletes some of what a deleted endpoint leaves: its queue and its delivery log.
 * @returns how many items were deleted: 0 when nothing is left
 */
export async function deleteSomeOfEndpoint(world: World, id: string, atMost: number): Promise<number> {
  const pks = [queuePk(world, id), ...deliveryPks(world, id)] as const;
  const found = await Promise.all(pks.map((pk) => keysIn(pk, atMost)));
  const keys = found.flat().slice(0, atMost);
  await writeAll([], keys);
  return keys.length;
}
