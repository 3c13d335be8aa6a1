import type { Settlement } from '../../domain/settlement.ts';
import type { World } from '../../domain/world.ts';
import { toEntity } from '../table/entity.ts';
import { getItem } from '../table/item.ts';
import { settlementDayKey } from '../table/keys.ts';

/** The settlement of a provider and a day, or null. */
export async function findSettlement(
  world: World,
  provider: string,
  day: string,
): Promise<Settlement | null> {
  const item = await getItem(settlementDayKey(world, provider, day));
  return item === undefined ? null : toEntity('settlement', item);
}
