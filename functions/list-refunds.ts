import { refundOperations } from '../shared/contract/refunds.ts';
import { viewPage, viewRefund } from '../shared/contract/views.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listRefunds } from '../shared/store/refund.ts';

/** Lists the refunds of the caller's world, newest first. */
export const handler = serveRead(refundOperations.listRefunds, async ({ world, query }) => {
  const page = await listRefunds(world, query);
  return viewPage(page, (refund) => viewRefund(world, refund));
});
