import type { Payout } from '../../domain/payout.ts';
import type { World } from '../../domain/world.ts';
import { BLOCK_SIZE } from '../table/keys.ts';
import { list } from '../table/list.ts';

/** All payouts, newest first: a merchant has few, one for each day that was settled. */
export async function readPayouts(world: World): Promise<Payout[]> {
  const all: Payout[] = [];
  let after: string | undefined;
  do {
    const page = await list('payout', world, { limit: BLOCK_SIZE, after });
    all.push(...page.data);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
  return all;
}
