import { viewPage } from '../shared/contract/list-page.ts';
import { paymentOperations, viewPayment } from '../shared/contract/payments.ts';
import { paymentAsOf } from '../shared/domain/payment.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { list } from '../shared/store/list.ts';

export const handler = serveRead(paymentOperations.listPayments, async ({ world, query, nowMs }) => {
  const page = await list('payment', world, query, (payment) => paymentAsOf(payment, nowMs));
  return viewPage(page, (payment) => viewPayment(world, payment));
});
