import { refundOperations } from '../shared/contract/refunds.ts';
import { viewRefund } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { getRefund } from '../shared/store/refund.ts';

/** Retrieves one refund of the caller's world. */
export const handler = serve(refundOperations.getRefund, async ({ world, params }) => {
  const refund = await getRefund(world, params.id);
  return { answer: viewRefund(world, refund) };
});
