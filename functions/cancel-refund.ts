import { viewRefund } from '../shared/contract/refund-view.ts';
import { refundOperations } from '../shared/contract/refunds.ts';
import { cancelRefund } from '../shared/domain/refund.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { getRefund, recordRefund } from '../shared/store/refund.ts';

/** Cancels a refund that is not approved yet and gives its amount free for other refunds. */
export const handler = serve(refundOperations.cancelRefund, async (request) => {
  const { world, params, nowMs } = request;
  const refund = await getRefund(world, params.id);
  const step = cancelRefund(refund, nowMs);
  return {
    changes: [...recordRefund(world, refund, [step]), ...announce(request, [step], viewRefund)],
    answer: viewRefund(world, step.after),
  };
});
