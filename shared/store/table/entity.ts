import { type EntityOf, RESOURCES, type ResourceName } from '../../domain/resource.ts';
import type { World } from '../../domain/world.ts';
import { found } from '../../errors/problem.ts';
import { getItems } from './get-items.ts';
import { findItem, isPastEnd, type StoredItem } from './item.ts';
import { keyOf } from './keys.ts';
import { pack, unpack } from './packed.ts';
import { RESOURCE_ITEMS } from './resource-items.ts';
import { INDEXES, TABLE } from './table.ts';

/** Attributes that the store adds to an item. */
const ADDED: ReadonlySet<string> = new Set([
  ...Object.values(TABLE),
  ...Object.values(INDEXES).flatMap((index) => Object.values(index)),
]);

/** The fields of an item, without the attributes that the store added. */
export function fieldsOf<Kept>(item: StoredItem): Kept {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !ADDED.has(name))) as Kept;
}

/**
 * A resource as attributes: packed as a whole, as a text that keeps the order of fields and every number, and beside
 * that the fields by which the store decides.
 */
export function toAttributes<Name extends ResourceName>(name: Name, entity: EntityOf<Name>): StoredItem {
  const live: readonly string[] = RESOURCE_ITEMS[name].live;
  return {
    data: pack(JSON.stringify(entity)),
    version: entity.version,
    ...Object.fromEntries(Object.entries(entity).filter(([field]) => live.includes(field))),
  };
}

/**
 * The resource that an item holds: the packed fields, in their order. An attribute of the same name wins, for an update
 * may have changed it since.
 */
export function toEntity<Name extends ResourceName>(_name: Name, item: StoredItem): EntityOf<Name> {
  const { data, ...attributes } = item;
  const fields: StoredItem = JSON.parse(unpack(data as Uint8Array));
  const current = Object.entries(fields).map(([name, packed]) => [
    name,
    Object.hasOwn(attributes, name) ? attributes[name] : packed,
  ]);
  return Object.fromEntries(current);
}

/** The entity as it is stored, or null. A text that cannot be such an id is not looked up. */
export async function find<Name extends ResourceName>(
  name: Name,
  world: World,
  id: string,
): Promise<EntityOf<Name> | null> {
  const item = await findItem(RESOURCES[name].prefix, id, keyOf(name, world, id), `read ${name}`);
  return item === null ? null : toEntity(name, item);
}

/** Those of the entities that are stored, by id: one read for a hundred. */
export async function findAll<Name extends ResourceName>(
  name: Name,
  world: World,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EntityOf<Name>>> {
  const items = await getItems(
    ids.map((id) => keyOf(name, world, id)),
    `read ${name}`,
  );
  return new Map(
    items
      .filter((item) => !isPastEnd(item))
      .map((item) => toEntity(name, item))
      .map((entity) => [entity.id, entity]),
  );
}

/**
 * The entity as it is stored.
 * @throws Problem `payment_not_found` and so on, by kind
 */
export async function get<Name extends ResourceName>(
  name: Name,
  world: World,
  id: string,
): Promise<EntityOf<Name>> {
  return found(await find(name, world, id), RESOURCES[name].missing);
}
