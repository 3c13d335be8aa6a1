import { operations } from '../shared/contract/operations.ts';
import { viewPaymentLink } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { getPaymentLink } from '../shared/store/payment-link.ts';

/** Retrieves one payment link of the caller's world. */
export const handler = serve(operations.getPaymentLink, async ({ world, params }) => {
  const link = await getPaymentLink(world, params.id);
  return { answer: viewPaymentLink(world, link) };
});
