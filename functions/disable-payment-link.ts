import { viewPaymentLink } from '../shared/contract/payment-link-view.ts';
import { paymentLinkOperations } from '../shared/contract/payment-links.ts';
import { lastOf } from '../shared/domain/event.ts';
import { disablePaymentLink } from '../shared/domain/payment-link.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { getPaymentLink, recordPaymentLink } from '../shared/store/payment-link.ts';

/** Takes a payment link out of use; one that is disabled already stays as it is, and nothing is announced. */
export const handler = serve(paymentLinkOperations.disablePaymentLink, async (request) => {
  const { world, params, nowMs } = request;
  const link = await getPaymentLink(world, params.id);
  const steps = disablePaymentLink(link, nowMs);
  return {
    changes: [...recordPaymentLink(world, link, steps), ...announce(request, steps, viewPaymentLink)],
    answer: viewPaymentLink(world, lastOf(link, steps)),
  };
});
