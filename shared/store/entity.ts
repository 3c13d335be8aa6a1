import { type EntityOf, type ListedName, RESOURCES, rowOf } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { findItem, type Item } from './item.ts';
import { keyOf } from './keys.ts';
import { INDEXES, TABLE } from './table.ts';

/** What the store adds to what it keeps. */
const ADDED: ReadonlySet<string> = new Set([
  ...Object.values(TABLE),
  ...Object.values(INDEXES).flatMap((index) => Object.values(index)),
]);

/** What was kept in an item, without what the store has added. */
export function fieldsOf<Kept>(item: Item): Kept {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !ADDED.has(name))) as Kept;
}

/** An item as what it stands for. */
export function toEntity<Name extends ListedName>(name: Name, item: Item): EntityOf<Name> {
  const { text = [] } = rowOf(name);
  const texts = text.map((field) => [field, JSON.parse(String(item[String(field)]))]);
  return { ...fieldsOf<EntityOf<Name>>(item), ...Object.fromEntries(texts) };
}

/** As it is stored, or null: a text that has not the form of such an id is not asked for. */
export async function find<Name extends ListedName>(
  name: Name,
  world: World,
  id: string,
): Promise<EntityOf<Name> | null> {
  const item = await findItem(RESOURCES[name].prefix, id, keyOf(name, world, id));
  return item === null ? null : toEntity(name, item);
}

/**
 * As it is stored.
 * @throws Problem that it is missing: `payment_not_found` …
 */
export async function get<Name extends ListedName>(
  name: Name,
  world: World,
  id: string,
): Promise<EntityOf<Name>> {
  return found(await find(name, world, id), RESOURCES[name].missing);
}
