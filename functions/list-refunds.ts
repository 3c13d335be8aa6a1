import { viewPage } from '../shared/contract/list-page.ts';
import { refundOperations, viewRefund } from '../shared/contract/refunds.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { list } from '../shared/store/table/list.ts';

export const handler = serveRead(refundOperations.listRefunds, async ({ world, query }) =>
  viewPage(await list('refund', world, query), (refund) => viewRefund(world, refund)),
);
