import { type EntityOf, type ListedName, RESOURCES, rowOf } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { findItem, type Item } from './item.ts';
import { keyOf } from './keys.ts';
import { INDEXES, TABLE } from './table.ts';

/** Attributes that the store adds to an item. */
const ADDED: ReadonlySet<string> = new Set([
  ...Object.values(TABLE),
  ...Object.values(INDEXES).flatMap((index) => Object.values(index)),
]);

/** The fields of an item, without the attributes that the store added. */
export function fieldsOf<Kept>(item: Item): Kept {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !ADDED.has(name))) as Kept;
}

/** The resource or event that an item holds. */
export function toEntity<Name extends ListedName>(name: Name, item: Item): EntityOf<Name> {
  const { text = [] } = rowOf(name);
  const texts = text.map((field) => [field, JSON.parse(String(item[String(field)]))]);
  return { ...fieldsOf<EntityOf<Name>>(item), ...Object.fromEntries(texts) };
}

/** The entity as it is stored, or null. A text that cannot be such an id is not looked up. */
export async function find<Name extends ListedName>(
  name: Name,
  world: World,
  id: string,
): Promise<EntityOf<Name> | null> {
  const item = await findItem(RESOURCES[name].prefix, id, keyOf(name, world, id));
  return item === null ? null : toEntity(name, item);
}

/**
 * The entity as it is stored.
 * @throws Problem `payment_not_found` and so on, by kind
 */
export async function get<Name extends ListedName>(
  name: Name,
  world: World,
  id: string,
): Promise<EntityOf<Name>> {
  return found(await find(name, world, id), RESOURCES[name].missing);
}
