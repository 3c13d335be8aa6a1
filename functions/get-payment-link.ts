import { paymentLinkOperations } from '../shared/contract/payment-links.ts';
import { viewPaymentLink } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { getPaymentLink } from '../shared/store/payment-link.ts';

/** Retrieves one payment link of the caller's world. */
export const handler = serve(paymentLinkOperations.getPaymentLink, async ({ world, params }) => {
  const link = await getPaymentLink(world, params.id);
  return { answer: viewPaymentLink(world, link) };
});
