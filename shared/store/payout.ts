import type { Step } from '../domain/event.ts';
import { isBack, type Payout } from '../domain/payout.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { addToBalance } from './balance.ts';
import type { Change } from './commit.ts';
import { findEntity, type Item, insert, replace } from './item.ts';
import { newestIndex, payoutKey } from './keys.ts';
import { listPage, newestFirst, type Page, type PageRequest } from './list.ts';

/**
 * @throws Problem `payout_not_found`
 */
export async function getPayout(world: World, id: string): Promise<Payout> {
  return found(await findEntity('pot', id, payoutKey(world, id), toPayout), 'payout_not_found');
}

export function insertPayout(world: World, payout: Payout): Change {
  return insert(toItem(world, payout));
}

/** Records what became of a payout; what did not arrive or did not stay is unsettled again (contract §8). */
export function recordPayout(world: World, before: Payout, { after }: Step<Payout>): Change[] {
  const record = replace(toItem(world, after), before.version);
  return isBack(after) ? [record, addToBalance(world, after.updatedAtMs, after.amount.minor)] : [record];
}

export interface PayoutFilter extends PageRequest {
  readonly status?: string | undefined;
}

/** One page of payouts, newest first. */
export function listPayouts(world: World, filter: PayoutFilter): Promise<Page<Payout>> {
  const { status } = filter;
  const source = newestFirst(world, 'PAYOUTS', world.counts.payout);
  return listPage(
    source,
    filter,
    toPayout,
    status === undefined ? undefined : (payout) => payout.status === status,
  );
}

function toPayout(item: Item): Payout {
  return item as unknown as Payout;
}

function toItem(world: World, payout: Payout) {
  return {
    ...payout,
    ...payoutKey(world, payout.id),
    ...newestIndex(world, 'PAYOUTS', payout.number, payout.id),
  };
}
