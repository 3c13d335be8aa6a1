import type { OpenApiDocument } from '../contract/openapi-document.ts';
import { type Html, html } from '../pages/html.ts';
import { contentsOf, DOCS_KINDS, type DocsEntry, type DocsKind } from './contents.ts';
import type { DocsPage } from './docs-page.ts';
import { inlineText } from './inline-text.ts';
import { searchDocs } from './search.ts';

export const KIND_TITLES: Readonly<Record<DocsKind, string>> = {
  guide: 'Guides',
  operation: 'Operations',
  object: 'Objects',
  event: 'Events',
  error: 'Errors',
};

/** Everything that the documentation has. */
export function indexPage(document: OpenApiDocument, root: string): DocsPage {
  const entries = contentsOf(document);
  const sections = DOCS_KINDS.map((kind) => renderSection(document, root, kind, entries));
  const body = html`<h1>Documentation</h1>
<p>New here? <a href="${root}/docs/first-payment">Make a first payment</a>: it takes a few minutes, and moves no money.</p>
<p>${inlineText(document.info.description)}</p>
${sections}`;
  return {
    title: 'Documentation',
    body,
    data: { data: entries.map((entry) => shownEntry(document, entry)) },
  };
}

/** What a search finds. */
export function searchPage(document: OpenApiDocument, root: string, query: string): DocsPage {
  const found = searchDocs(contentsOf(document), query);
  const list = found.map(
    ({ kind, title, path, text }) =>
      html`<li><a href="${root}${path}">${title}</a> <span class="type">${kind}</span><br>${inlineText(text)}</li>\n`,
  );
  const body = html`<h1>Search</h1>
<p role="status">${found.length === 0 ? 'Nothing was found' : `${found.length} found`} for “${query}”. ${found.length === 0 && html`<a href="${root}/docs">See all pages</a>.`}</p>
<ul class="found">
${list}</ul>`;
  return {
    title: `Search: ${query}`,
    body,
    data: { query, data: found.map((entry) => shownEntry(document, entry)) },
  };
}

function renderSection(
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
  return html`<section id="${kind}s">
<h2>${KIND_TITLES[kind]}</h2>
${lists}</section>
`;
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
