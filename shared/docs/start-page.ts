import { html } from '../pages/html.ts';
import type { DocsPage } from './docs-page.ts';
import { GUIDES } from './guides.ts';
import { inlineText } from './inline-text.ts';

/** Where everything is. */
export function startPage(baseUrl: string, root: string): DocsPage {
  const guides = GUIDES.map(
    ({ name, title, summary }) =>
      html`<li><a href="${root}/docs/${name}">${title}</a>: ${inlineText(summary)}</li>\n`,
  );
  const body = html`<h1>Payments for Thailand</h1>
<p>Take payments, refund them and share payment links by one API. In test mode no money moves: you decide what payers do, move the clock, and let your own webhook receiver fail, so that you have seen every case before you go live.</p>
<p class="doors"><a class="button main" href="${root}/docs/first-payment">Make a first payment</a> <a class="button" href="${root}/console">Open the dashboard</a> <a class="button" href="${root}/docs">Read the documentation</a></p>
<h2>Guides</h2>
<ul>
${guides}</ul>
<h2>For programs</h2>
<p>The base URL is <code>${baseUrl}</code>. The <a href="${root}/api/v1/openapi.json">OpenAPI document</a> describes every operation; clients are generated from it. The <a href="${root}/api/v1/asyncapi.json">AsyncAPI document</a> describes every webhook. To try requests by hand, import the <a href="${root}/api/v1/postman.json">collection</a> into Postman or Bruno, or open the <a href="${root}/api/v1/requests.http">.http file</a> in your editor.</p>`;
  return {
    title: 'Payments for Thailand',
    body,
    data: {
      dashboard: `${baseUrl}/console`,
      docs: `${baseUrl}/docs`,
      errors: `${baseUrl}/errors`,
      openapi: `${baseUrl}/api/v1/openapi.json`,
      asyncapi: `${baseUrl}/api/v1/asyncapi.json`,
      postman: `${baseUrl}/api/v1/postman.json`,
      http_file: `${baseUrl}/api/v1/requests.http`,
    },
  };
}
