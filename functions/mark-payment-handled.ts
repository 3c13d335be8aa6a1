import { paymentOperations, viewPayment } from '../shared/contract/payments.ts';
import { asSeenBy } from '../shared/contract/viewer.ts';
import { markHandled, paymentAsOf } from '../shared/domain/payment.ts';
import { serve } from '../shared/http/serve.ts';
import { getPayment } from '../shared/store/money/payments.ts';

/** Records that somebody has dealt with a payment. */
export const handler = serve(paymentOperations.markPaymentHandled, async (request) => {
  const { world, params, body, nowMs } = request;
  const marked = markHandled(await getPayment(request, params.id), body.note || null, nowMs);
  const response = viewPayment(world, paymentAsOf(marked.after, nowMs));
  return { changes: [marked], response: asSeenBy(request, response) };
});
