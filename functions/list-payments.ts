import { viewPage } from '../shared/contract/list-page.ts';
import { viewPayment } from '../shared/contract/payment-view.ts';
import { paymentOperations } from '../shared/contract/payments.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listPayments } from '../shared/store/payment.ts';

/** Lists the payments of the caller's world, newest first. */
export const handler = serveRead(paymentOperations.listPayments, async ({ world, query, nowMs }) => {
  const page = await listPayments(world, query, nowMs);
  return viewPage(page, (payment) => viewPayment(world, payment));
});
