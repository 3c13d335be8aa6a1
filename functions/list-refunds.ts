import { refundOperations } from '../shared/contract/refunds.ts';
import { viewPage, viewRefund } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { listRefunds } from '../shared/store/refund.ts';

/** Lists the refunds of the caller's world, newest first. */
export const handler = serve(refundOperations.listRefunds, async ({ world, query }) => {
  const page = await listRefunds(world, query);
  return { answer: viewPage(page, (refund) => viewRefund(world, refund)) };
});
