import { settlementOperations, viewSettlement } from '../shared/contract/settlements.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { get } from '../shared/store/table/entity.ts';

export const handler = serveRead(settlementOperations.getSettlement, async ({ world, params }) =>
  viewSettlement(world, await get('settlement', world, params.id)),
);
