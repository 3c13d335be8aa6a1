import { html } from '../pages/html.ts';
import type { DocsPage } from './docs-page.ts';
import { renderFields, renderType } from './fields.ts';
import { inlineText } from './inline-text.ts';
import { renderCode, renderJson } from './samples.ts';
import type { ServiceDocument } from './service-document.ts';

const JSON_TYPE = 'application/json';

/** The page of an event type, or null if there is none. */
export function eventPage(document: ServiceDocument, root: string, type: string): DocsPage | null {
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
<p>It is sent to every endpoint that subscribes to it, and carries ${renderType(root, content.schema)}. <a href="${root}/docs/webhooks">How to receive it</a>.</p>
<h2>Headers</h2>
${renderFields(root, headers, 'type')}
${isTriggered && html`<h2>Trigger it in your test world</h2>\n${renderCode(`npm run pg -- trigger ${type}`)}`}
${content.example !== undefined && html`<h2>Example</h2>\n${renderJson(content.example)}`}
<h2>What to answer</h2>
<p>${Object.values(post.responses).map(({ description }) => html`${inlineText(description)} `)}</p>`;
  return { title: type, body, data: { type, ...post } };
}
