import { viewPayment } from '../shared/contract/payment-view.ts';
import { paymentOperations } from '../shared/contract/payments.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getPayment } from '../shared/store/payment.ts';

/** Retrieves one payment of the caller's world. */
export const handler = serveRead(paymentOperations.getPayment, async ({ world, params, nowMs }) => {
  const payment = await getPayment(world, params.id, nowMs);
  return viewPayment(world, payment);
});
