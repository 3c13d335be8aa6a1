import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { catalogue, type ErrorCode, entryOf, isErrorCode } from '../errors/catalogue.ts';
import { html } from '../pages/html.ts';
import { renderJson } from './code-block.ts';
import { nameOfOperation, operationsIn, pathOfOperation } from './contents.ts';
import type { DocsPage } from './docs-page.ts';
import { ERROR_CAUSES } from './error-causes.ts';
import { inlineText } from './inline-text.ts';

/** The page at the address in a problem's `type`, or null if there is no such code. */
export function errorPage(document: OpenApiDocument, root: string, code: string): DocsPage | null {
  if (!isErrorCode(code)) {
    return null;
  }
  const { status, title, advice, retryAfterSeconds } = entryOf(code);
  const causes = ERROR_CAUSES[code] ?? [];
  const operations = [...operationsIn(document).values()].filter(({ responses }) =>
    Object.values(responses).some(({ content = {} }) =>
      Object.hasOwn(content['application/problem+json']?.examples ?? {}, code),
    ),
  );
  const retry =
    retryAfterSeconds === undefined
      ? 'Sending the same request again will not help until something is changed.'
      : 'The same request may be sent again after the seconds that Retry-After says.';
  const example = {
    ...document.components.examples[code]?.value,
    type: `${document.servers[0].url}/errors/${code}`,
  };
  const links = operations.map(
    (operation) =>
      html`<li><a href="${root}${pathOfOperation(operation)}"><code>${operation.method} ${operation.path}</code></a> ${operation.summary}</li>\n`,
  );
  const body = html`<p><code>${status} ${code}</code></p>
<h1>${title}</h1>
<h2>What to do</h2>
<p>${inlineText(advice)}</p>
<p>${retry} A refused request has changed nothing.</p>
<h2>Usual causes</h2>
<ul>
${causes.map((cause) => html`<li>${inlineText(cause)}</li>\n`)}</ul>
<h2>Example</h2>
${renderJson(example)}
${links.length > 0 && html`<h2>Operations that can answer it</h2>\n<ul>\n${links}</ul>`}`;
  return {
    title: `${code}: ${title}`,
    body,
    data: {
      code,
      status,
      title,
      advice,
      causes,
      retry_after_seconds: retryAfterSeconds ?? null,
      operations: operations.map(nameOfOperation),
    },
  };
}

/** Every error code. */
export function errorsPage(root: string): DocsPage {
  const codes = Object.keys(catalogue) as ErrorCode[];
  const rows = codes
    .toSorted((a, b) => entryOf(a).status - entryOf(b).status)
    .map((code) => {
      const { status, title } = entryOf(code);
      return html`<tr><td>${status}</td><td><a href="${root}/errors/${code}"><code>${code}</code></a></td><td>${title}</td></tr>\n`;
    });
  const body = html`<h1>Errors</h1>
<p>Every refusal is a document of the type <code>application/problem+json</code> with a stable <code>code</code>. <a href="${root}/docs/errors">How to handle errors</a>.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Error codes"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
  const data = codes.map((code) => {
    const { status, title, advice } = entryOf(code);
    return { code, status, title, advice };
  });
  return { title: 'Errors', body, data: { data } };
}
