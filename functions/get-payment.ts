import { paymentOperations } from '../shared/contract/payments.ts';
import { viewPayment } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { getPayment } from '../shared/store/payment.ts';

/** Retrieves one payment of the caller's world. */
export const handler = serve(paymentOperations.getPayment, async ({ world, params, nowMs }) => {
  const payment = await getPayment(world, params.id, nowMs);
  return { answer: viewPayment(world, payment) };
});
