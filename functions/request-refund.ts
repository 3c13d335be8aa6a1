import { refundOperations, viewRefund } from '../shared/contract/refunds.ts';
import { newId } from '../shared/domain/id.ts';
import { paymentAsOf } from '../shared/domain/payment.ts';
import { requestRefund } from '../shared/domain/refund.ts';
import { afterOf } from '../shared/domain/resource-change.ts';
import { requireRefundable } from '../shared/flows/require-refundable.ts';
import { serve } from '../shared/http/serve.ts';
import { getPayment } from '../shared/store/money/payments.ts';
import { takeNumber } from '../shared/store/worlds/world.ts';

/** Requests a refund: its amount is held back from other refunds at once, and it is approved 15 minutes later. */
export const handler = serve(refundOperations.requestRefund, async (request) => {
  const { world, params, body, nowMs } = request;
  const reads = [getPayment(request, params.id), takeNumber(world, 'refund')] as const;
  const [payment, number] = await Promise.all(reads);
  const identity = { id: newId('ref', nowMs), number };
  const requested = requestRefund(identity, paymentAsOf(payment, nowMs), body, nowMs);
  await requireRefundable(world, payment);
  return { changes: [requested], response: viewRefund(world, afterOf(requested)) };
});
