import { hash } from 'node:crypto';
import { Html, html } from '../pages/html.ts';
import { DOCS_KINDS, type DocsEntry, type DocsKind } from './contents.ts';
import { KIND_TITLES } from './index-page.ts';

/** Without an icon, browsers request /favicon.ico. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E';

/** Put in by the bundler of functions (`infra/aws/constructs/payment-function.ts`), which leaves out what reads it here. */
declare const BUILT_DOCS_STYLE: string | undefined;

const STYLE =
  typeof BUILT_DOCS_STYLE === 'string'
    ? BUILT_DOCS_STYLE
    : (await import('../pages/read-style.ts')).readStyle('docs/docs.css');

/** The pages have no script, load nothing, and send one form: the search. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  'img-src data:',
].join('; ');

interface DocsFrame {
  readonly title: string;
  readonly body: Html;
  /** The path of the service, before `/docs`; empty where it has a host of its own. */
  readonly root: string;
  /** The path of the page, from the root of the service. */
  readonly path: string;
  /** What was searched for. */
  readonly query?: string | undefined;
}

/**
 * The frame of every page of the documentation: the search, the contents, and the page.
 * @param entries the guides at least, and everything of the kind of the page
 */
export function renderDocs(entries: readonly DocsEntry[], frame: DocsFrame): string {
  const { title, body, root, query = '' } = frame;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${title}: the documentation of the payment API.">
<link rel="icon" href="${ICON}">
<title>${title} · Payments</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header class="bar"><a class="brand" href="${root}/">Payments</a> <a href="${root}/docs">Docs</a> <a href="${root}/console">Dashboard</a>
<form action="${root}/docs" role="search"><input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" required maxlength="100"><button>Search</button></form></header>
<div class="page">
<main>
${body}
</main>
${renderContents(entries, frame)}
</div>
</body>
</html>
`;
  return page.text;
}

/** The guides, and what else there is of the kind of the page. */
function renderContents(entries: readonly DocsEntry[], { root, path }: DocsFrame): Html {
  const current = entries.find((entry) => entry.path === path)?.kind;
  const lists = DOCS_KINDS.map((kind) => {
    const isShown = kind === 'guide' || kind === current;
    const title = html`<h2><a href="${root}${folderOf(kind)}">${KIND_TITLES[kind]}</a></h2>\n`;
    return html`${title}${isShown && renderList(root, path, kind, entries)}`;
  });
  return html`<nav aria-label="Contents">
${lists}</nav>`;
}

function renderList(root: string, path: string, kind: DocsKind, entries: readonly DocsEntry[]): Html {
  const links = entries
    .filter((entry) => entry.kind === kind)
    .map(
      (entry) =>
        html`<li><a href="${root}${entry.path}"${entry.path === path && html` aria-current="page"`}>${entry.title}</a></li>\n`,
    );
  return html`<ul>
${links}</ul>
`;
}

function folderOf(kind: DocsKind): string {
  return kind === 'error' ? '/errors' : `/docs#${kind}s`;
}
