import { hostedPageOperations } from '../shared/contract/hosted-pages.ts';
import { found } from '../shared/errors/problem.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { renderCheckoutPage } from '../shared/pages/checkout-page.ts';
import { findPaymentPage } from '../shared/store/payment-page.ts';

/** Shows a payer what there is to pay, how, until when, and what became of it. */
export const handler = servePage(hostedPageOperations.getCheckoutPage, async (request) => {
  const page = found(await findPaymentPage(request.params.token, request.realNowMs), 'route_not_found');
  return renderCheckoutPage({ ...request, ...page, step: request.query.step, isLateComing: false });
});
