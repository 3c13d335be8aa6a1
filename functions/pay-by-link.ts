import { hostedPageOperations } from '../shared/contract/hosted-pages.ts';
import { newLinkAttempt } from '../shared/domain/payment-link.ts';
import { found } from '../shared/errors/problem.ts';
import { serveForm } from '../shared/http/serve-page.ts';
import { openByLink } from '../shared/jobs/open-by-link.ts';
import { readLinkForm, renderLinkEnd, renderLinkPage } from '../shared/pages/link-page.ts';
import { findLinkOfCode } from '../shared/store/payment-link.ts';

/** Makes a payment of what a payer fills in on the page of a link, once, and goes on to its page. */
export const handler = serveForm(hostedPageOperations.payByLink, async (request) => {
  const { params, form, language } = request;
  const place = found(await findLinkOfCode(params.code), 'route_not_found');
  const view = { link: place.link, isTest: place.world.mode === 'test', language };
  const { attempt = newLinkAttempt() } = form;
  const { payer, problems } = readLinkForm(place.link, form);
  if (payer === null) {
    return { status: 422, body: renderLinkPage({ ...view, attempt, form, problems }) };
  }
  const opened = await openByLink(request, place, payer, attempt);
  return 'pageUrl' in opened
    ? { seeOther: opened.pageUrl }
    : { status: 409, body: renderLinkEnd(view, opened.unavailable) };
});
