import type { Endpoint, EndpointChange } from '../domain/endpoint.ts';
import type { World } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { fieldsOf } from './entity.ts';
import { insert, queryPartition, removeRead, replace } from './item.ts';
import { endpointKey, endpointsPk } from './keys.ts';

/** All receivers of a world, in the order of their slots: at most 36. */
export async function readEndpoints(world: World): Promise<Endpoint[]> {
  return (await queryPartition(endpointsPk(world))).map((item) => fieldsOf<Endpoint>(item));
}

/**
 * Writes an endpoint over the version that it was made from, or a new one into a free slot: of two for the same slot,
 * the second conflicts.
 * @throws Error where there is none before and none after
 */
export function writeEndpoint(
  world: World,
  { before, after }: Pick<EndpointChange, 'before' | 'after'>,
): Write {
  if (after !== null) {
    const item = { ...after, ...endpointKey(world, after.slot) };
    return before === null ? insert(item) : replace(item, before.version);
  }
  if (before === null) {
    throw new Error('a change has an endpoint before it, or after it');
  }
  return removeRead(endpointKey(world, before.slot), before.version);
}
