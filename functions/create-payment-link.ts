import { viewPaymentLink } from '../shared/contract/payment-link-view.ts';
import { paymentLinkOperations } from '../shared/contract/payment-links.ts';
import { newId } from '../shared/domain/id.ts';
import { createPaymentLink, newLinkCode } from '../shared/domain/payment-link.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { insertPaymentLink } from '../shared/store/payment-link.ts';
import { takeNumber } from '../shared/store/world.ts';

/** Creates a payment link: a page that anybody with its address can pay. */
export const handler = serve(paymentLinkOperations.createPaymentLink, async (request) => {
  const { world, body, nowMs, baseUrl } = request;
  const number = await takeNumber(world, 'paymentLink');
  const code = newLinkCode();
  const identity = { id: newId('lnk', nowMs), number, code, url: `${baseUrl}/l/${code}` };
  const step = createPaymentLink(identity, body, nowMs);
  return {
    changes: [...insertPaymentLink(world, step.after), ...announce(request, [step], viewPaymentLink)],
    answer: viewPaymentLink(world, step.after),
  };
});
