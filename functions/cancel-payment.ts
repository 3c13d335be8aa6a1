import { operations } from '../shared/contract/operations.ts';
import { viewCanceledPayment, viewPayment } from '../shared/contract/views.ts';
import { cancelPayment } from '../shared/domain/payment.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { getPayment, replacePayment } from '../shared/store/payment.ts';

/** Cancels a payment that nobody has paid yet. */
export const handler = serve(operations.cancelPayment, async (request) => {
  const { world, params, nowMs } = request;
  const payment = await getPayment(world, params.id, nowMs);
  const canceled = cancelPayment(payment, nowMs);
  return {
    changes: [
      replacePayment(world, canceled),
      announce(request, 'payment.canceled', canceled, viewPayment(world, canceled), payment),
    ],
    answer: viewCanceledPayment(world, canceled),
  };
});
