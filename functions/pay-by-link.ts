import { payerPageOperations } from '../shared/contract/payer-pages.ts';
import { newLinkAttempt } from '../shared/domain/payment-link.ts';
import { found } from '../shared/errors/problem.ts';
import { linkUnavailable } from '../shared/flows/link-end.ts';
import { payByLink } from '../shared/flows/pay-by-link.ts';
import { leastOf, readTerms } from '../shared/flows/read-terms.ts';
import { formOnce } from '../shared/http/form-once.ts';
import { serveForm } from '../shared/http/serve-page.ts';
import { inLanguage } from '../shared/pages/language.ts';
import { readLinkForm, renderLinkEnd, renderLinkPage } from '../shared/pages/link-page.ts';
import { policyOf } from '../shared/pages/page.ts';
import { findLinkOfForm } from '../shared/store/money/payment-link.ts';

/** Creates a payment from the form of a link's page and redirects to the payment's page. */
export const handler = serveForm(payerPageOperations.payByLink, async (request) => {
  const { params, form, language, source, realNowMs } = request;
  const linkInWorld = found(await findLinkOfForm(params.code, source, realNowMs), 'route_not_found');
  const { attempt = newLinkAttempt() } = form;
  const leastMinor = leastOf(await readTerms(linkInWorld.world));
  const view = { ...linkInWorld, language, leastMinor, attempt, form };
  const { payer, problems } = readLinkForm(linkInWorld.link, form, leastMinor);
  const { retryAfterSeconds } = linkInWorld;
  const policy = policyOf(linkInWorld.world.logoUrl);
  if (payer === null || retryAfterSeconds !== null) {
    const body = renderLinkPage({ ...view, problems: problems ?? {}, retryAfterSeconds });
    return { status: retryAfterSeconds === null ? 422 : 429, body, retryAfterSeconds, policy };
  }
  const created = await payByLink(
    { ...request, once: (sent, decide) => formOnce(request, sent, decide) },
    linkInWorld,
    payer,
    attempt,
  );
  if ('pageUrl' in created) {
    return { seeOther: inLanguage(created.pageUrl, request.namedLanguage) };
  }
  const { end } = created;
  return { status: 409, body: renderLinkEnd(view, end), policy, problem: linkUnavailable(end) };
});
