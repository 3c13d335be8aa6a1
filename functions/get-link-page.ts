import { payerPageOperations } from '../shared/contract/payer-pages.ts';
import { newLinkAttempt } from '../shared/domain/payment-link.ts';
import { worldNow } from '../shared/domain/world.ts';
import { found } from '../shared/errors/problem.ts';
import { findLinkEnd, linkUnavailable } from '../shared/flows/link-end.ts';
import { leastOf, readTerms } from '../shared/flows/read-terms.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { renderLinkEnd, renderLinkPage } from '../shared/pages/link-page.ts';
import { policyOf } from '../shared/pages/page.ts';
import { findLinkOfCode } from '../shared/store/money/payment-link.ts';

/** Shows a payment link with its form; 410 if it accepts no more payments, 409 if it may again later. */
export const handler = servePage(payerPageOperations.getLinkPage, async ({ params, realNowMs, language }) => {
  const { world, link } = found(await findLinkOfCode(params.code), 'route_not_found');
  const view = { link, world, language };
  const end = await findLinkEnd({ world, nowMs: worldNow(world, realNowMs) }, link);
  const policy = policyOf(world.logoUrl);
  if (end?.reason === 'reserved') {
    return { status: 409, body: renderLinkEnd(view, end), policy, problem: linkUnavailable(end) };
  }
  if (end !== null) {
    return { status: 410, body: renderLinkEnd(view, end), policy };
  }
  const leastMinor = leastOf(await readTerms(world));
  return { status: 200, body: renderLinkPage({ ...view, leastMinor, attempt: newLinkAttempt() }), policy };
});
