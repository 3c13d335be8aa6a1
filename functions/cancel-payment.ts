import { viewCanceledPayment, viewPayment } from '../shared/contract/payment-view.ts';
import { paymentOperations } from '../shared/contract/payments.ts';
import { cancelPayment } from '../shared/domain/payment.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { readPayment, recordPayment } from '../shared/store/payment.ts';

/** Cancels a payment that nobody has paid yet. */
export const handler = serve(paymentOperations.cancelPayment, async (request) => {
  const { world, params, nowMs } = request;
  const payment = await readPayment(world, params.id);
  const step = cancelPayment(payment, nowMs);
  return {
    changes: [...recordPayment(world, payment, [step]), ...announce(request, [step], viewPayment)],
    answer: viewCanceledPayment(world, step.after, request),
  };
});
