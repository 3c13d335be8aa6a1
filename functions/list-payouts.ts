import { viewPage } from '../shared/contract/list-page.ts';
import { payoutOperations, viewPayout } from '../shared/contract/payouts.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { list } from '../shared/store/table/list.ts';

export const handler = serveRead(payoutOperations.listPayouts, async ({ world, query }) =>
  viewPage(await list('payout', world, query), (payout) => viewPayout(world, payout)),
);
