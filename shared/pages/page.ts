import { hash } from 'node:crypto';
import { LANGUAGE_NAMES, type Language } from '../domain/language.ts';
import { Html, html } from './html.ts';
import { LANGUAGES } from './language.ts';
import { textsOf } from './texts.ts';

/** A self-contained page: its style and its script are inline, and it loads nothing from other hosts. */
export interface HtmlPage {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /** Whether it updates itself, which needs a script. */
  readonly isLive?: true;
  /** A prominent note if no money moves. */
  readonly testNote?: string | false | undefined;
  /** Set on the pages of payers, which can be read in each language: what their address keeps beside the language. */
  readonly keptQuery?: Readonly<Record<string, string>>;
}

/** A coin. Without an icon, browsers request /favicon.ico. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E';

/** Put in by the bundler of functions (`infra/aws/constructs/payment-function.ts`), which leaves out what reads it here. */
declare const BUILT_PAGE_STYLE: string | undefined;

const STYLE =
  typeof BUILT_PAGE_STYLE === 'string'
    ? BUILT_PAGE_STYLE
    : (await import('./read-style.ts')).readStyle('pages/page.css');

/**
 * Counts down to `data-until`, shows the buttons that copy and what is true of a page with a script alone, and checks
 * ever less often whether the payment has changed: not at all while the page is hidden, and at once when it is seen
 * again; nor while a form of it is on its way, for a reload would lose where that leads. On a phone, it folds what only
 * test mode has. The page also works without this script: it shows the deadline, a reload shows the current state, and
 * what could be copied can be selected.
 */
const SCRIPT = `
const main = document.querySelector('main[data-state]');
const [firstMs, longestMs] = [2500, 10000];
let waitMs = firstMs;
let timer;
let isLooking = false;
let isSending = false;
const look = async () => {
  clearTimeout(timer);
  if (isLooking || isSending || document.hidden || !main || !main.dataset.open) return;
  isLooking = true;
  try {
    const text = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();
    const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main[data-state]');
    if (next && next.dataset.state !== main.dataset.state && !isSending) return location.replace(location.href);
  } catch {}
  isLooking = false;
  waitMs = Math.min(waitMs * 1.25, longestMs);
  timer = setTimeout(look, waitMs);
};
const lookSoon = () => {
  waitMs = firstMs;
  look();
};
timer = setTimeout(look, firstMs);
for (const text of document.querySelectorAll('[data-live]')) text.hidden = false;
document.addEventListener('visibilitychange', lookSoon);
document.addEventListener('submit', () => { isSending = true; });
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  isSending = false;
  lookSoon();
});
const panel = document.querySelector('.panel');
if (panel && matchMedia('(max-width: 34rem)').matches) {
  panel.open = false;
  document.body.classList.add('barred');
  // It scrolls by itself then, with the keyboard too.
  main.tabIndex = 0;
}
const clock = document.querySelector('[data-until]');
if (clock) {
  const skew = Number(clock.dataset.now) - Date.now();
  const until = Number(clock.dataset.until);
  const tick = () => {
    const left = Math.max(0, Math.ceil((until - Date.now() - skew) / 1000));
    const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((n) => String(n).padStart(2, '0'));
    clock.textContent = (h === '00' ? '' : h + ':') + m + ':' + s + (h === '00' ? clock.dataset.unit : '');
    clock.classList.toggle('bad', left < 60);
    if (left > 0) setTimeout(tick, 500);
    else lookSoon();
  };
  tick();
}
const copied = document.querySelector('[data-copied]');
for (const button of navigator.clipboard ? document.querySelectorAll('button[data-copy]') : []) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      copied.textContent = copied.dataset.copied + ': ' + button.dataset.copy;
    } catch {}
  });
}
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
].join('; ');

/**
 * A page may use its own style and script, show its own pictures, and send forms to its own service.
 * @param logoUrl the one picture from elsewhere that the page may show
 */
export function policyOf(logoUrl?: string): string {
  return logoUrl === undefined ? POLICY : `${POLICY} ${logoUrl}`;
}

/* Referrer `same-origin`: with `no-referrer`, browsers would send `Origin: null` with the service's own forms. */
export function renderPage({ language, title, body, isLive, testNote, keptQuery }: HtmlPage): string {
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<link rel="icon" href="${ICON}">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${testNote || keptQuery ? html`<header>${testNote ? html`<div class="test" role="note">${testNote}</div>` : null}${keptQuery ? renderLanguages(language, keptQuery) : null}</header>` : null}
${body}
${isLive === true && html`<script>${new Html(SCRIPT)}</script>`}
</body>
</html>
`;
  return page.text;
}

/** Links to this page in each language: they work without a script, and forms and redirects keep the choice. */
function renderLanguages(current: Language, keptQuery: Readonly<Record<string, string>>): Html {
  const links = LANGUAGES.map((language) => {
    const query = new URLSearchParams({ ...keptQuery, lang: language });
    return html`<a href="?${query.toString()}" lang="${language}" hreflang="${language}"${language === current && html` aria-current="true"`}>${LANGUAGE_NAMES[language]}</a>`;
  });
  return html`<nav aria-label="${textsOf(current).language}">${links}</nav>`;
}
