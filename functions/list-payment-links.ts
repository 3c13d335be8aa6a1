import { paymentLinkOperations } from '../shared/contract/payment-links.ts';
import { viewPage, viewPaymentLink } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { listPaymentLinks } from '../shared/store/payment-link.ts';

/** Lists the payment links of the caller's world, newest first. */
export const handler = serve(paymentLinkOperations.listPaymentLinks, async ({ world, query }) => {
  const page = await listPaymentLinks(world, query);
  return { answer: viewPage(page, (link) => viewPaymentLink(world, link)) };
});
