import { paymentLinkOperations } from '../shared/contract/payment-links.ts';
import { viewPage, viewPaymentLink } from '../shared/contract/views.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listPaymentLinks } from '../shared/store/payment-link.ts';

/** Lists the payment links of the caller's world, newest first. */
export const handler = serveRead(paymentLinkOperations.listPaymentLinks, async ({ world, query }) => {
  const page = await listPaymentLinks(world, query);
  return viewPage(page, (link) => viewPaymentLink(world, link));
});
