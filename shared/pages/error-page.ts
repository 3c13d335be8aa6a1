import { docsOf } from '../contract/docs.ts';
import { errorCodesOf, type Operation } from '../contract/operation.ts';
import { type ErrorCode, entryOf } from '../errors/catalogue.ts';
import { html } from './html.ts';
import { renderPage } from './page.ts';

/** The page that explains an error code, generated from the catalogue and the table of operations. */
export function renderErrorPage(code: ErrorCode, served: readonly Operation[]): string {
  const { status, title, advice, retryAfterSeconds } = entryOf(code);
  const rows = served.filter((row) => errorCodesOf(row).includes(code));
  const retry =
    retryAfterSeconds === undefined
      ? 'Sending the same request again will not help until something is changed.'
      : 'The same request may be sent again after the seconds that Retry-After says.';
  const list = rows.map(
    (row) => html`<li><code>${row.method} ${row.path}</code> ${docsOf(row).summary}</li>\n`,
  );
  const body = html`<main>
<p><code>${status} ${code}</code></p>
<h1>${title}</h1>
<p>${advice}</p>
<p>${retry} A refused request has changed nothing.</p>
${rows.length > 0 && html`<h2>Operations that can answer it</h2>\n<ul>\n${list}</ul>`}
</main>`;
  return renderPage({ language: 'en', title: `${code}: ${title}`, body });
}
