import { paymentOperations, viewPayment } from '../shared/contract/payments.ts';
import { paymentAsOf } from '../shared/domain/payment.ts';
import { afterOf } from '../shared/domain/resource-change.ts';
import { openPayment } from '../shared/flows/open-payment.ts';
import { serve } from '../shared/http/serve.ts';

/** Creates a payment and, where the method is known, begins its first attempt. */
export const handler = serve(paymentOperations.createPayment, async (request) => {
  const { world, body, nowMs } = request;
  const opened = await openPayment(request, body);
  // A retry long after a crash uses the time of the first try, so its payment may have expired by now.
  return { changes: [opened], answer: viewPayment(world, paymentAsOf(afterOf(opened), nowMs)) };
});
