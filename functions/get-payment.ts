import { paymentOperations, viewPayment } from '../shared/contract/payments.ts';
import { paymentAsOf } from '../shared/domain/payment.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getPayment } from '../shared/store/money/payments.ts';

export const handler = serveRead(paymentOperations.getPayment, async (request) => {
  const payment = await getPayment(request, request.params.id);
  return viewPayment(request.world, paymentAsOf(payment, request.nowMs));
});
