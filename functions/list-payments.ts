import { viewPage } from '../shared/contract/list-page.ts';
import { paymentOperations, viewPayment } from '../shared/contract/payments.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listPayments } from '../shared/store/money/payments.ts';

export const handler = serveRead(paymentOperations.listPayments, async (request) => {
  const page = await listPayments(request, request.query);
  return viewPage(page, (payment) => viewPayment(request.world, payment));
});
