import { hash } from 'node:crypto';
import { LANGUAGE_NAMES, type Language } from '../domain/language.ts';
import { Html, html } from '../pages/html.ts';
import { LANGUAGES } from '../pages/language.ts';
import { DOCS_KINDS, type DocsEntry, type DocsKind } from './contents.ts';
import { DOCS_SCRIPT } from './docs-script.ts';
import { docsTextsOf } from './docs-texts.ts';
import { withHeadingIds } from './page-headings.ts';

/** Without an icon, browsers request /favicon.ico. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%234338ca%22/%3E%3C/svg%3E';

/** Put in by the bundler of functions (`infra/aws/constructs/payment-function.ts`), which leaves out what reads it here. */
declare const BUILT_DOCS_STYLE: string | undefined;

const STYLE =
  typeof BUILT_DOCS_STYLE === 'string'
    ? BUILT_DOCS_STYLE
    : (await import('../pages/read-style.ts')).readStyle('docs/docs.css');

/** The pages have their own style and script, load nothing, and send one form: the search. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  `script-src 'sha256-${hash('sha256', DOCS_SCRIPT, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  'img-src data:',
].join('; ');

interface DocsFrame {
  readonly title: string;
  readonly body: Html;
  /** Whether the page itself is in the language of the frame; else it is in English. */
  readonly isTranslated?: true | undefined;
  /** The path of the service, before `/docs`; empty where it has a host of its own. */
  readonly root: string;
  /** The path of the page, from the root of the service. */
  readonly path: string;
  readonly language: Language;
  /** The language that the address names: links and the search keep it. */
  readonly namedLanguage?: Language | undefined;
  /** What was searched for. */
  readonly query?: string | undefined;
}

/**
 * The frame of every page of the documentation: the search, the contents, the page and what is on it.
 * @param entries the guides at least, and everything of the kind of the page
 */
export function renderDocs(entries: readonly DocsEntry[], frame: DocsFrame): string {
  const { title, root, language, isTranslated } = frame;
  const texts = docsTextsOf(language);
  const { body, headings } = withHeadingIds(frame.body);
  const written = isTranslated ? language : 'en';
  const links = headings.map(
    ({ id, text, level }) => html`<li class="h${level}"><a href="#${id}">${text}</a></li>\n`,
  );
  const list = html`<ul lang="${written}">\n${links}</ul>`;
  const isLong = headings.length > 1;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${title}: ${texts.about}">
<link rel="icon" href="${ICON}">
<title>${title} · Payments</title>
<style>${new Html(STYLE)}</style>
</head>
<body data-copy="${texts.copy}" data-copied="${texts.copied}" data-samples="${texts.samples}">
${renderBar(frame)}
<div class="page">
<main lang="${written}">
${renderNote(entries, frame)}${isLong && html`<details class="here"><summary lang="${language}">${texts.onThisPage}</summary>\n${list}\n</details>\n`}${body}
</main>
${renderContents(entries, frame)}
${isLong && html`<nav class="aside" aria-labelledby="on-this-page"><p id="on-this-page">${texts.onThisPage}</p>\n${list}\n</nav>`}
</div>
<p class="unseen" role="status" data-said></p>
<script>${new Html(DOCS_SCRIPT)}</script>
</body>
</html>
`;
  return withLanguage(page.text, root, frame.namedLanguage);
}

/** Links to other pages of the documentation keep the language that the address names. */
function withLanguage(page: string, root: string, named: Language | undefined): string {
  const link = new RegExp(
    `(<a (?:class="[^"]*" )?href="${root}/(?:docs[^"#?]*|errors[^"#?]*)?)(?=[#"])`,
    'g',
  );
  return named === undefined ? page : page.replaceAll(link, `$1?lang=${named}`);
}

/** On a phone, the contents and the search are behind the button: a popover, which needs no script. */
function renderBar(frame: DocsFrame): Html {
  const { root, language } = frame;
  const texts = docsTextsOf(language);
  return html`<header class="bar"><button class="menu" popovertarget="contents">${texts.menu}</button> <a class="brand" href="${root}/">Payments</a>
${renderSearch(frame)}
<span class="doors-of-bar"><a href="${root}/docs">${texts.docs}</a> <a href="${root}/console">${texts.dashboard}</a></span>
${renderLanguageLinks(frame)}</header>`;
}

function renderSearch({ root, language, namedLanguage, query = '' }: DocsFrame): Html {
  const { search, searchLabel } = docsTextsOf(language);
  return html`<form action="${root}/docs" role="search"><input type="search" name="q" value="${query}" aria-label="${searchLabel}" placeholder="${search}" required maxlength="100">${namedLanguage !== undefined && html`<input type="hidden" name="lang" value="${namedLanguage}">`}<button>${search}</button></form>`;
}

/** Links to this page in each language: they work without a script, and links keep the choice. */
function renderLanguageLinks({ root, path, query, language }: DocsFrame): Html {
  const links = LANGUAGES.map((each) => {
    const kept = new URLSearchParams({ ...(query !== undefined && { q: query }), lang: each });
    return html`<a href="${root}${path}?${kept.toString()}" lang="${each}" hreflang="${each}"${each === language && html` aria-current="true"`}>${LANGUAGE_NAMES[each]}</a>`;
  });
  return html`<nav class="languages" aria-label="${docsTextsOf(language).language}">${links}</nav>`;
}

/** What a page says that is not in the language of its frame. */
function renderNote(entries: readonly DocsEntry[], { path, language, isTranslated }: DocsFrame): Html | null {
  if (isTranslated || language === 'en') {
    return null;
  }
  const { guideInEnglish, pageInEnglish } = docsTextsOf(language);
  const isGuide = entries.some((entry) => entry.kind === 'guide' && entry.path === path);
  return html`<p class="note" lang="${language}">${isGuide ? guideInEnglish : pageInEnglish}</p>\n`;
}

/** The guides, and what else there is of the kind of the page. */
function renderContents(entries: readonly DocsEntry[], frame: DocsFrame): Html {
  const { root, path, language } = frame;
  const texts = docsTextsOf(language);
  const current = entries.find((entry) => entry.path === path)?.kind;
  const lists = DOCS_KINDS.map((kind) => {
    const isShown = kind === 'guide' || kind === current;
    const title = html`<h2><a href="${root}${folderOf(kind)}">${texts.kinds[kind]}</a></h2>\n`;
    return html`${title}${isShown && renderList(root, path, kind, entries)}`;
  });
  return html`<nav class="rail" id="contents" popover aria-label="${texts.contents}">
<div class="on-phones">${renderSearch(frame)}
<p><a href="${root}/docs">${texts.docs}</a> <a href="${root}/console">${texts.dashboard}</a></p></div>
${lists}</nav>`;
}

function renderList(root: string, path: string, kind: DocsKind, entries: readonly DocsEntry[]): Html {
  const links = entries
    .filter((entry) => entry.kind === kind)
    .map(
      (entry) =>
        html`<li><a href="${root}${entry.path}"${entry.path === path && html` aria-current="page"`}>${entry.title}</a></li>\n`,
    );
  return html`<ul lang="en">
${links}</ul>
`;
}

function folderOf(kind: DocsKind): string {
  return kind === 'error' ? '/errors' : `/docs#${kind}s`;
}
