import { viewRefund } from '../shared/contract/refund-view.ts';
import { refundOperations } from '../shared/contract/refunds.ts';
import { newId } from '../shared/domain/id.ts';
import { requestRefund } from '../shared/domain/refund.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { getPayment } from '../shared/store/payment.ts';
import { insertRefund } from '../shared/store/refund.ts';
import { takeNumber } from '../shared/store/world.ts';

/** Requests a refund: its amount is held back from other refunds at once, and it is approved 15 minutes later. */
export const handler = serve(refundOperations.requestRefund, async (request) => {
  const { world, params, body, nowMs } = request;
  const reads = [getPayment(world, params.id, nowMs), takeNumber(world, 'refund')] as const;
  const [payment, number] = await Promise.all(reads);
  const step = requestRefund({ id: newId('ref', nowMs), number }, payment, body, nowMs);
  return {
    changes: [...insertRefund(world, step.after), ...announce(request, [step], viewRefund)],
    answer: viewRefund(world, step.after),
  };
});
