import { payerPageOperations } from '../shared/contract/payer-pages.ts';
import { found } from '../shared/errors/problem.ts';
import { readTerms } from '../shared/flows/read-terms.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { renderCheckoutPage } from '../shared/pages/checkout-page.ts';
import { policyOf } from '../shared/pages/page.ts';
import { findPayerPage } from '../shared/store/money/payer-page.ts';

/** Shows a payer the payment: the amount, how and until when to pay, and the result. */
export const handler = servePage(payerPageOperations.getCheckoutPage, async (request) => {
  const page = found(await findPayerPage(request.params.token, request.realNowMs), 'route_not_found');
  const methods = await readTerms(page.world);
  const { step } = request.query;
  const body = renderCheckoutPage({ ...request, ...page, methods, step, isLateComing: false });
  return { status: 200, body, policy: policyOf(page.world.logoUrl) };
});
