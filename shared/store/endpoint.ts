import type { Endpoint, EndpointChange } from '../domain/endpoint.ts';
import type { World } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { fieldsOf } from './entity.ts';
import { insert, queryPartition, replace } from './item.ts';
import { endpointKey, endpointsPk } from './keys.ts';

/** All receivers of a world, in the order of their slots: at most 36. */
export async function readEndpoints(world: World): Promise<Endpoint[]> {
  return (await queryPartition(endpointsPk(world))).map((item) => fieldsOf<Endpoint>(item));
}

/**
 * Writes an endpoint over the version that it was made from, or a new one into a free slot: of two for the same slot,
 * the second conflicts.
 */
export function writeEndpoint(
  world: World,
  { before, after }: Pick<EndpointChange, 'before' | 'after'>,
): Write {
  const item = { ...after, ...endpointKey(world, after.slot) };
  return before === null ? insert(item) : replace(item, before.version);
}
