import { hostedPageOperations } from '../shared/contract/hosted-pages.ts';
import { found } from '../shared/errors/problem.ts';
import { serveForm } from '../shared/http/serve-page.ts';
import { actOnCheckout } from '../shared/jobs/act-on-checkout.ts';
import { renderCheckoutPage } from '../shared/pages/checkout-page.ts';
import { findPaymentPage } from '../shared/store/payment-page.ts';

/** Does what a payer asks for on the page of a payment, once, and shows the page again. */
export const handler = serveForm(hostedPageOperations.actOnCheckout, async (request) => {
  const { params, form, realNowMs, requestId, baseUrl } = request;
  const read = async () => found(await findPaymentPage(params.token, realNowMs), 'route_not_found');
  const isLateComing = await actOnCheckout(read, form, requestId);
  const page = await read();
  return isLateComing
    ? { status: 200, body: renderCheckoutPage({ ...request, ...page, isLateComing }) }
    : { seeOther: `${baseUrl}/checkout/${params.token}` };
});
