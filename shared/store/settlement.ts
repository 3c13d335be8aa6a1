import type { Settlement } from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { getItem, insert } from './item.ts';
import { newestIndex, settlementKey } from './keys.ts';

/** What a provider has settled for a day, or null. */
export async function findSettlement(
  world: World,
  provider: string,
  day: string,
): Promise<Settlement | null> {
  const item = await getItem(settlementKey(world, provider, day));
  return (item as Settlement | undefined) ?? null;
}

export function insertSettlement(world: World, settlement: Settlement): Change {
  const { provider, valueDate, number, id } = settlement;
  return insert({
    ...settlementKey(world, provider, valueDate),
    ...newestIndex(world, 'SETTLEMENTS', number, id),
    ...settlement,
  });
}
