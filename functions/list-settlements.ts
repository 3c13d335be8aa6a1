import { viewPage } from '../shared/contract/list-page.ts';
import { settlementOperations, viewSettlement } from '../shared/contract/settlements.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { list } from '../shared/store/table/list.ts';

export const handler = serveRead(settlementOperations.listSettlements, async ({ world, query }) =>
  viewPage(await list('settlement', world, query), (settlement) => viewSettlement(world, settlement)),
);
