import { viewSettlement } from '../shared/contract/settlement-view.ts';
import { settlementOperations } from '../shared/contract/settlements.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getSettlement } from '../shared/store/settlement.ts';

/** Retrieves one settlement of the caller's world. */
export const handler = serveRead(settlementOperations.getSettlement, async ({ world, params }) => {
  const settlement = await getSettlement(world, params.id);
  return viewSettlement(world, settlement);
});
