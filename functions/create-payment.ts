import { viewPayment } from '../shared/contract/payment-view.ts';
import { paymentOperations } from '../shared/contract/payments.ts';
import { paymentAsOf } from '../shared/domain/payment.ts';
import { openPayment } from '../shared/flows/open-payment.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { insertPayment } from '../shared/store/payment.ts';

/** Creates a payment and, where the method is known, begins to collect it. */
export const handler = serve(paymentOperations.createPayment, async (request) => {
  const { world, body, nowMs } = request;
  const { steps, payment } = await openPayment(request, body);
  return {
    changes: [...insertPayment(world, payment), ...announce(request, steps, viewPayment)],
    // Sent again long after a crash, a request goes on from how it began: its payment may be over by now.
    answer: viewPayment(world, paymentAsOf(payment, nowMs)),
  };
});
