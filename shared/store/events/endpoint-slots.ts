import { SECOND_MS } from '../../domain/clock.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { EndpointSlot, EndpointSlotChange } from '../../domain/endpoint-slot.ts';
import { hasEnded, type World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItems } from '../table/get-items.ts';
import { insert, queryPartition, replace } from '../table/item.ts';
import {
  createdWorldKey,
  endpointKey,
  endpointSlotKey,
  endpointSlotsPk,
  type Key,
  scopeOf,
} from '../table/keys.ts';
import { TABLE } from '../table/table.ts';
import { toWorld } from '../worlds/world.ts';

/** The slots that enabled endpoints of a merchant's created worlds have taken, those that are free again too. */
export async function readEndpointSlots(merchant: string): Promise<EndpointSlot[]> {
  const items = await queryPartition(endpointSlotsPk(merchant));
  return items.map((item) => fieldsOf<EndpointSlot>(item));
}

/**
 * Those of these slots whose endpoint is still there and enabled. A slot that is seen as free here can be taken: an
 * endpoint that is enabled again meanwhile takes its slot again, and one of the two conflicts.
 */
export async function readHeldSlots(slots: readonly EndpointSlot[]): Promise<EndpointSlot[]> {
  const [worlds, endpoints] = await Promise.all([
    getItems(distinct(slots.map(({ worldId }) => createdWorldKey(worldId)))),
    getItems(distinct(slots.map(({ worldId: id, epoch, slot }) => endpointKey({ id, epoch }, slot)))),
  ]);
  const now = Date.now();
  const open = worlds.map(toWorld).filter((world) => !hasEnded(world, now));
  const scopes = new Set(open.map(scopeOf));
  const enabled = endpoints
    .map((item) => fieldsOf<Endpoint>(item))
    .filter(({ status }) => status === 'enabled');
  const ids = new Set(enabled.map(({ id }) => id));
  return slots.filter(({ id, worldId, epoch }) => ids.has(id) && scopes.has(scopeOf({ id: worldId, epoch })));
}

/** Takes a slot as it was read: of two that take it, the second conflicts. It is forgotten after the end of the world. */
export function writeEndpointSlot(
  { merchant, created }: World,
  { before, after }: Pick<EndpointSlotChange, 'before' | 'after'>,
): Write {
  const ends = created && { [TABLE.ttl]: Math.ceil(created.expiresAtMs / SECOND_MS) };
  const item = { ...after, ...endpointSlotKey(merchant, after.index), ...ends };
  return before === null ? insert(item) : replace(item, { version: before.version, id: before.id });
}

/** A batch may name no key twice. */
function distinct<Pk extends string>(keys: readonly Key<Pk>[]): Key<Pk>[] {
  return [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
}
