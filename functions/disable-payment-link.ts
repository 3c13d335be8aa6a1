import { operations } from '../shared/contract/operations.ts';
import { viewPaymentLink } from '../shared/contract/views.ts';
import { disablePaymentLink } from '../shared/domain/payment-link.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { getPaymentLink, replacePaymentLink } from '../shared/store/payment-link.ts';

/** Takes a payment link out of use; one that is disabled already stays as it is, and nothing is announced. */
export const handler = serve(operations.disablePaymentLink, async (request) => {
  const { world, params, nowMs } = request;
  const link = await getPaymentLink(world, params.id);
  const disabled = disablePaymentLink(link, nowMs);
  const view = viewPaymentLink(world, disabled);
  const changes = [
    replacePaymentLink(world, disabled),
    announce(request, 'payment_link.disabled', disabled, view, link),
  ];
  return { changes: disabled === link ? [] : changes, answer: view };
});
