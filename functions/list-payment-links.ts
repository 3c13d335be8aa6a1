import { operations } from '../shared/contract/operations.ts';
import { viewPage, viewPaymentLink } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { listPaymentLinks } from '../shared/store/payment-link.ts';

/** Lists the payment links of the caller's world, newest first. */
export const handler = serve(operations.listPaymentLinks, async ({ world, query }) => {
  const page = await listPaymentLinks(world, query);
  return { answer: viewPage(page, (link) => viewPaymentLink(world, link)) };
});
