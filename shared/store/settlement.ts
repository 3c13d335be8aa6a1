import type { Settlement } from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import type { Change } from './commit.ts';
import { findEntity, getItem, type Item, insert } from './item.ts';
import { newestIndex, settledKey, settlementKey } from './keys.ts';
import { listPage, newestFirst, type Page, type PageRequest } from './list.ts';

/**
 * @throws Problem `settlement_not_found`
 */
export async function getSettlement(world: World, id: string): Promise<Settlement> {
  const settlement = await findEntity('stl', id, settlementKey(world, id), toSettlement);
  return found(settlement, 'settlement_not_found');
}

/** What a provider has settled for a day, or null. */
export async function findSettlement(
  world: World,
  provider: string,
  day: string,
): Promise<Settlement | null> {
  const item = await getItem(settledKey(world, provider, day));
  return item === undefined ? null : toSettlement(item);
}

/**
 * A new settlement, by its id and by its provider and day, of which there is one. Nothing about it ever changes, so that
 * both are whole, and each way to it is one read.
 */
export function insertSettlement(world: World, settlement: Settlement): Change[] {
  const { id, number, provider, valueDate } = settlement;
  return [
    insert({
      ...settlement,
      ...settlementKey(world, id),
      ...newestIndex(world, 'SETTLEMENTS', number, id),
    }),
    insert({ ...settlement, ...settledKey(world, provider, valueDate) }),
  ];
}

export interface SettlementFilter extends PageRequest {
  readonly status?: string | undefined;
  readonly provider?: string | undefined;
  readonly value_date?: string | undefined;
}

/** One page of settlements, newest first. */
export function listSettlements(world: World, filter: SettlementFilter): Promise<Page<Settlement>> {
  const { status, provider, value_date: valueDate } = filter;
  const source = newestFirst(world, 'SETTLEMENTS', world.counts.settlement);
  const isFiltered = [status, provider, valueDate].some((wanted) => wanted !== undefined);
  const keep = (one: Settlement) =>
    (status === undefined || one.status === status) &&
    (provider === undefined || one.provider === provider) &&
    (valueDate === undefined || one.valueDate === valueDate);
  return listPage(source, filter, toSettlement, isFiltered ? keep : undefined);
}

function toSettlement(item: Item): Settlement {
  return item as unknown as Settlement;
}
