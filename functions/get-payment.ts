import { paymentOperations, viewPayment } from '../shared/contract/payments.ts';
import { paymentAsOf } from '../shared/domain/payment.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { get } from '../shared/store/entity.ts';

export const handler = serveRead(paymentOperations.getPayment, async ({ world, params, nowMs }) => {
  const payment = await get('payment', world, params.id);
  return viewPayment(world, paymentAsOf(payment, nowMs));
});
