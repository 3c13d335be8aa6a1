import { paymentOperations, viewPayment } from '../shared/contract/payments.ts';
import { paymentAsOf } from '../shared/domain/payment.ts';
import { afterOf } from '../shared/domain/resource-change.ts';
import { createPaymentAtProvider } from '../shared/flows/create-payment-at-provider.ts';
import { serve } from '../shared/http/serve.ts';

/** Creates a payment and, if the method is known, starts its first attempt. */
export const handler = serve(paymentOperations.createPayment, async (request) => {
  const { world, body, nowMs } = request;
  const created = await createPaymentAtProvider(request, body);
  // A retry long after a crash uses the time of the first try, so its payment may have expired by now.
  return { changes: [created], response: viewPayment(world, paymentAsOf(afterOf(created), nowMs)) };
});
