import { payerPageOperations } from '../shared/contract/payer-pages.ts';
import { newLinkAttempt, unavailabilityOf } from '../shared/domain/payment-link.ts';
import { worldNow } from '../shared/domain/world.ts';
import { found } from '../shared/errors/problem.ts';
import { leastOf, termsOf } from '../shared/flows/terms-of.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { renderLinkEnd, renderLinkPage } from '../shared/pages/link-page.ts';
import { policyOf } from '../shared/pages/page.ts';
import { findLinkOfCode } from '../shared/store/payment-link.ts';

/** Shows a payment link with its form for the payer; 410 if it accepts no more payments. */
export const handler = servePage(payerPageOperations.getLinkPage, async ({ params, realNowMs, language }) => {
  const { world, link } = found(await findLinkOfCode(params.code), 'route_not_found');
  const view = { link, world, language };
  const why = unavailabilityOf(link, worldNow(world, realNowMs));
  const policy = policyOf(world.logoUrl);
  if (why !== null) {
    return { status: 410, body: renderLinkEnd(view, why), policy };
  }
  const leastMinor = leastOf(await termsOf(world));
  return { status: 200, body: renderLinkPage({ ...view, leastMinor, attempt: newLinkAttempt() }), policy };
});
