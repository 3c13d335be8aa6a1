import { payerPageOperations } from '../shared/contract/payer-pages.ts';
import { entryOf } from '../shared/errors/catalogue.ts';
import { found } from '../shared/errors/problem.ts';
import { actOnCheckout } from '../shared/flows/act-on-checkout.ts';
import { readTerms } from '../shared/flows/read-terms.ts';
import { serveForm } from '../shared/http/serve-page.ts';
import { renderCheckoutPage } from '../shared/pages/checkout-page.ts';
import { inLanguage } from '../shared/pages/language.ts';
import { policyOf } from '../shared/pages/page.ts';
import { findPayerPage } from '../shared/store/money/payer-page.ts';

/** Handles a form of the payer's page of a payment and shows the page again. */
export const handler = serveForm(payerPageOperations.actOnCheckout, async (request) => {
  const { params, form, requestId, baseUrl } = request;
  const read = async () => found(await findPayerPage(params.token, Date.now()), 'route_not_found');
  const acted = await actOnCheckout(read, form, requestId);
  const { isLater: isLateComing, emailProblem, isProviderAway = false, isChosenOut = false } = acted;
  if (!isLateComing && emailProblem === undefined && !isProviderAway && !isChosenOut) {
    return { seeOther: inLanguage(`${baseUrl}/checkout/${params.token}`, request.namedLanguage) };
  }
  const page = await read();
  const { email } = form;
  const methods = await readTerms(page.world);
  const more = { methods, isLateComing, email, emailProblem, isProviderAway, isChosenOut };
  const body = renderCheckoutPage({ ...request, ...page, ...more });
  const policy = policyOf(page.world.logoUrl);
  const { retryAfterSeconds } = entryOf('provider_unavailable');
  return isProviderAway
    ? { status: 503, body, policy, retryAfterSeconds }
    : { status: isChosenOut ? 409 : emailProblem === undefined ? 200 : 422, body, policy };
});
