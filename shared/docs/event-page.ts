import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { html } from '../pages/html.ts';
import { renderCode, renderJson } from './code-block.ts';
import type { DocsPage } from './docs-page.ts';
import { renderFields, renderType } from './fields.ts';
import { inlineText } from './inline-text.ts';

const JSON_TYPE = 'application/json';

/** The page of an event type, or null if there is none. */
export function eventPage(document: OpenApiDocument, root: string, type: string): DocsPage | null {
  const post = Object.hasOwn(document.webhooks, type) ? document.webhooks[type]?.post : undefined;
  const content = post?.requestBody?.content[JSON_TYPE];
  if (post === undefined || content === undefined) {
    return null;
  }
  const headers = post.parameters.map(({ name, schema, description = '' }) => ({
    name,
    schema,
    description,
    isRequired: true,
  }));
  const isTriggered = type !== 'webhook.ping';
  const body = html`<h1>${type}</h1>
<p>${inlineText(post.description ?? '')}</p>
<p>It is sent to every webhook endpoint that subscribes to it, as JSON: ${renderType(root, content.schema)}. <a href="${root}/docs/webhooks">How to receive it</a>.</p>
<h2>Example</h2>
${renderJson(content.example)}
${isTriggered && html`<h2>Trigger it in your test world</h2>\n${renderCode({ code: `pg trigger ${type}`, language: 'sh', name: 'pg' })}\n<p><code>pg</code> is the command line of this service: it makes in test mode what leads to the event.</p>`}
<h2>Headers</h2>
${renderFields(root, headers, 'type')}
<h2>How to respond</h2>
<ul>
${Object.entries(post.responses).map(([status, { description }]) => html`<li><b>${status === 'default' ? 'Any other status' : 'A status from 200 to 299'}</b>: ${inlineText(description)}</li>\n`)}</ul>`;
  return { title: type, body, data: { type, ...post } };
}
