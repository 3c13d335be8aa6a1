import { settlementOperations, viewSettlement } from '../shared/contract/settlements.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { get } from '../shared/store/entity.ts';

export const handler = serveRead(settlementOperations.getSettlement, async ({ world, params }) => {
  const settlement = await get('settlement', world, params.id);
  return viewSettlement(world, settlement);
});
