import { hash } from 'node:crypto';
import { Html, html } from '../pages/html.ts';
import { DOCS_KINDS, type DocsEntry, type DocsKind } from './contents.ts';
import { KIND_TITLES } from './index-page.ts';

/** Without an icon, browsers request /favicon.ico. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E';

const STYLE = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #4338ca; --on-act: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #a5b4fc; --on-act: #111827; } }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; background: var(--paper); color: var(--ink); font: 1rem/1.65 system-ui, "Noto Sans Thai", "Sukhumvit Set", Thonburi, sans-serif; }
a { color: var(--act); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .6rem 1rem; border-bottom: 1px solid var(--line); background: var(--back); }
.bar a { padding: .4rem 0; } .bar .brand { font-weight: 700; color: var(--ink); text-decoration: none; margin-right: auto; }
.bar form { display: flex; gap: .5rem; min-width: 0; }
input, button, .button { font: inherit; min-height: 2.5rem; padding: .35rem .8rem; border-radius: .5rem; border: 1px solid var(--soft); background: var(--paper); color: var(--ink); min-width: 0; }
button, .button { color: var(--act); border-color: var(--act); cursor: pointer; text-decoration: none; display: inline-block; font-weight: 600; }
.button.main { background: var(--act); color: var(--on-act); }
.doors { display: flex; flex-wrap: wrap; gap: .6rem; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
main { padding: 1rem 1rem 3rem; min-width: 0; max-width: 56rem; }
nav { padding: 1rem; border-top: 1px solid var(--line); font-size: .95rem; min-width: 0; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; } nav a { display: block; padding: .15rem .5rem; border-radius: .35rem; text-decoration: none; } nav a:hover { text-decoration: underline; } nav h2 { font-size: .95rem; margin: .75rem 0 .25rem; } nav h2 a { color: var(--ink); }
nav [aria-current] { color: var(--ink); font-weight: 600; background: var(--back); }
h1 { font-size: 1.7rem; line-height: 1.25; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1.02rem; margin: 1.25rem 0 .25rem; }
p, ul { margin: .5rem 0; } ul { padding-left: 1.3rem; }
code, pre { font: .9em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--back); border-radius: .25rem; padding: .05em .3em; }
pre { margin: .25rem 0 1rem; padding: .85rem 1rem; background: var(--back); border: 1px solid var(--line); border-radius: .6rem; overflow-x: auto; overflow-wrap: normal; max-height: 40rem; }
.of, .type, .bounds { color: var(--soft); font-size: .9rem; } .of { margin: .75rem 0 0; }
.need { color: var(--act); font-size: .9rem; font-weight: 600; }
.fields { margin: .5rem 0; } .fields dt { margin-top: .6rem; padding-top: .6rem; border-top: 1px solid var(--line); } .fields dd { margin: .15rem 0 0; }
.many { columns: 14rem; } .found li { margin: .6rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; overflow-wrap: break-word; } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
.states rect { fill: var(--back); stroke: var(--soft); } .states text { fill: var(--ink); font: 13px ui-monospace, Menlo, Consolas, monospace; text-anchor: middle; }
.states path { fill: none; stroke: var(--soft); } .states marker path { fill: var(--soft); stroke: none; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
@media (min-width: 60rem) { .page { grid-template-columns: 17rem minmax(0, 1fr); } nav { grid-column: 1; grid-row: 1; border-top: 0; border-right: 1px solid var(--line); position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; } main { padding: 1.5rem 2rem 4rem; } }
@media print { nav, .bar { display: none; } }
`;

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
  /** Of the page, from the root of the service. */
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
    const title = html`<h2><a href="${root}${placeOf(kind)}">${KIND_TITLES[kind]}</a></h2>\n`;
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

function placeOf(kind: DocsKind): string {
  return kind === 'error' ? '/errors' : `/docs#${kind}s`;
}
