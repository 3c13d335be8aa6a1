import { operations } from '../shared/contract/operations.ts';
import { viewRefund } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { getRefund } from '../shared/store/refund.ts';

/** Retrieves one refund of the caller's world. */
export const handler = serve(operations.getRefund, async ({ world, params }) => {
  const refund = await getRefund(world, params.id);
  return { answer: viewRefund(world, refund) };
});
