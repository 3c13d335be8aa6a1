import type { OpenApiDocument } from '../contract/openapi-document.ts';
import type { Language } from '../domain/language.ts';
import { type Html, html } from '../pages/html.ts';
import { contentsOf, DOCS_KINDS, type DocsEntry, type DocsKind } from './contents.ts';
import type { DocsPage } from './docs-page.ts';
import { docsTextsOf } from './docs-texts.ts';
import { inlineText } from './inline-text.ts';
import { searchDocs } from './search.ts';

/** Everything that the documentation has. */
export function indexPage(document: OpenApiDocument, root: string, language: Language): DocsPage {
  const entries = contentsOf(document);
  const { index, kinds } = docsTextsOf(language);
  const sections = DOCS_KINDS.map(
    (kind) => html`<section>
<h2 id="${kind}s">${kinds[kind]}</h2>
<div lang="en">${renderLists(document, root, kind, entries)}</div>
</section>
`,
  );
  const body = html`<h1>${index.title}</h1>
<p>${index.isNew} <a href="${root}/docs/first-payment">${index.firstPayment}</a>${index.firstPaymentHint}</p>
<p lang="en">${inlineText(document.info.description)}</p>
${sections}`;
  return {
    title: index.title,
    body,
    isTranslated: true,
    data: { data: entries.map((entry) => shownEntry(document, entry)) },
  };
}

/** What a search finds. */
export function searchPage(
  document: OpenApiDocument,
  root: string,
  query: string,
  language: Language,
): DocsPage {
  const texts = docsTextsOf(language);
  const found = searchDocs(contentsOf(document), query);
  const list = found.map(
    ({ kind, title, path, text }) =>
      html`<li><a href="${root}${path}" lang="en">${title}</a> <span class="type">${texts.kind[kind]}</span><br><span lang="en">${inlineText(text)}</span></li>\n`,
  );
  const body = html`<h1>${texts.found.title}</h1>
<p role="status">${found.length === 0 ? texts.found.nothing(query) : texts.found.count(found.length, query)} ${found.length === 0 && html`<a href="${root}/docs">${texts.found.all}</a>`}</p>
<ul class="found">
${list}</ul>`;
  return {
    title: `${texts.found.title}: ${query}`,
    body,
    isTranslated: true,
    data: { query, data: found.map((entry) => shownEntry(document, entry)) },
  };
}

function renderLists(
  { tags }: OpenApiDocument,
  root: string,
  kind: DocsKind,
  entries: readonly DocsEntry[],
): Html {
  const groups = Map.groupBy(
    entries.filter((entry) => entry.kind === kind),
    ({ group }) => group,
  );
  const lists = [...groups].map(([group, held]) => {
    const tag = kind === 'operation' ? tags.find(({ name }) => name === group) : undefined;
    const links = held.map((entry) => renderLink(root, entry));
    return html`${tag !== undefined && html`<h3>${group}</h3>\n<p>${tag.description}</p>\n`}<ul${kind === 'object' && html` class="many"`}>
${links}</ul>
`;
  });
  return html`${lists}`;
}

function renderLink(root: string, { kind, title, path, text }: DocsEntry): Html {
  const more = kind === 'object' || kind === 'operation' ? null : html`: ${inlineText(text)}`;
  return html`<li><a href="${root}${path}">${title}</a>${more}</li>\n`;
}

function shownEntry(
  { servers: [{ url }] }: OpenApiDocument,
  { path, group: _, more: __, ...entry }: DocsEntry,
): object {
  return { ...entry, url: url + path };
}
