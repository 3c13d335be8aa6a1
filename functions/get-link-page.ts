import { payerPageOperations } from '../shared/contract/payer-pages.ts';
import { newLinkAttempt, unavailabilityOf } from '../shared/domain/payment-link.ts';
import { worldNow } from '../shared/domain/world.ts';
import { found } from '../shared/errors/problem.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { renderLinkEnd, renderLinkPage } from '../shared/pages/link-page.ts';
import { findLinkOfCode } from '../shared/store/payment-link.ts';

/** Shows what a payment link is for, and asks for what it collects; 410 where it takes no payment any more. */
export const handler = servePage(payerPageOperations.getLinkPage, async ({ params, realNowMs, language }) => {
  const { world, link } = found(await findLinkOfCode(params.code), 'route_not_found');
  const view = { link, world, language };
  const why = unavailabilityOf(link, worldNow(world, realNowMs));
  return why === null
    ? renderLinkPage({ ...view, attempt: newLinkAttempt() })
    : { status: 410, body: renderLinkEnd(view, why) };
});
