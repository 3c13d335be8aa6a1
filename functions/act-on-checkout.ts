import { payerPageOperations } from '../shared/contract/payer-pages.ts';
import { found } from '../shared/errors/problem.ts';
import { actOnCheckout } from '../shared/flows/act-on-checkout.ts';
import { methodsOf } from '../shared/flows/methods-of.ts';
import { serveForm } from '../shared/http/serve-page.ts';
import { renderCheckoutPage } from '../shared/pages/checkout-page.ts';
import { findPayerPage } from '../shared/store/payer-page.ts';

/** Handles a form of the payer's page of a payment and shows the page again. */
export const handler = serveForm(payerPageOperations.actOnCheckout, async (request) => {
  const { params, form, realNowMs, requestId, baseUrl } = request;
  const read = async () => found(await findPayerPage(params.token, realNowMs), 'route_not_found');
  const isLateComing = await actOnCheckout(read, form, requestId);
  const page = await read();
  return isLateComing
    ? {
        status: 200,
        body: renderCheckoutPage({ ...request, ...page, methods: await methodsOf(page.world), isLateComing }),
      }
    : { seeOther: `${baseUrl}/checkout/${params.token}` };
});
