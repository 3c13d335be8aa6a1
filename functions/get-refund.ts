import { viewRefund } from '../shared/contract/refund-view.ts';
import { refundOperations } from '../shared/contract/refunds.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getRefund } from '../shared/store/refund.ts';

/** Retrieves one refund of the caller's world. */
export const handler = serveRead(refundOperations.getRefund, async ({ world, params }) => {
  const refund = await getRefund(world, params.id);
  return viewRefund(world, refund);
});
