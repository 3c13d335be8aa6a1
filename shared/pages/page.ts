import { hash } from 'node:crypto';
import { Html, html } from './html.ts';
import { LANGUAGES, type Language } from './language.ts';
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

const STYLE = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --on-act: #fff; --good: #0a6b3d; --good-back: #e6f4ec; --bad: #a3201c; --bad-back: #fcecea; --test: #7a4b00; --test-back: #fff3d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --on-act: #06213d; --good: #6fd6a3; --good-back: #14352a; --bad: #ff9d97; --bad-back: #3d1f20; --test: #ffd98a; --test-back: #3a2c08; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; overflow-wrap: anywhere; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, "Noto Sans Thai", "Sukhumvit Set", Thonburi, sans-serif; }
main { max-width: 30rem; margin: .5rem auto 2rem; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }
h1 { font-size: 1.15rem; line-height: 1.4; margin: 0 0 .25rem; font-weight: 600; }
h2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }
p { margin: .35rem 0; } a { color: var(--act); }
nav { max-width: 30rem; margin: .25rem auto 0; padding: 0 .5rem; display: flex; justify-content: flex-end; }
nav a { min-width: 2.75rem; padding: .5rem .6rem; line-height: 1.75rem; text-align: center; } nav [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.amount { font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.shop { display: flex; align-items: center; gap: .75rem; margin: 0 0 .75rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line); }
.payee { color: var(--soft); margin: 0; min-width: 0; } .payee strong { color: var(--ink); }
.logo { flex: none; width: 3rem; height: 3rem; object-fit: contain; background: #fff; border-radius: .6rem; }
.soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); }
.state { font-size: 1.25rem; line-height: 1.4; font-weight: 600; margin: 1rem 0 .5rem; }
.state.good, .state.bad { padding: .6rem .9rem; border-left: 4px solid; border-radius: .25rem .6rem .6rem .25rem; }
.state.good { background: var(--good-back); } .state.bad { background: var(--bad-back); }
.test { background: var(--test-back); color: var(--test); padding: .5rem 1rem; text-align: center; font-weight: 600; }
.thai-qr { margin: 1rem auto; max-width: 19rem; background: #fff; border: 1px solid var(--line); border-radius: .75rem; overflow: hidden; text-align: center; }
.thai-qr h2 { margin: 0 0 .6rem; padding: .5rem; background: #14427a; color: #fff; letter-spacing: .02em; }
.promptpay { max-width: 100%; }
.qr { display: block; width: min(100%, 17rem); height: auto; margin: 0 auto .25rem; }
ol { margin: .5rem 0; padding-left: 1.4rem; }
dl { display: grid; grid-template-columns: minmax(4.5rem, auto) minmax(0, 1fr); gap: .35rem 1rem; margin: 1rem 0; align-items: center; }
dt { color: var(--soft); } dd { margin: 0; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem .75rem; }
dd > span { user-select: all; }
.copy { min-height: 2rem; padding: .1rem .7rem; font-size: .9rem; }
.mark { vertical-align: -.35em; margin-right: .6rem; }
.methods button { text-align: left; }
form { margin: 1rem 0 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem; }
fieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem 1rem; margin: 1.25rem 0 0; display: grid; gap: .6rem; }
details { margin-top: 1rem; } details form { margin-top: .6rem; }
summary { color: var(--act); cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .6rem 0; }
.outcomes { grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); } .outcomes button { padding: .4rem .5rem; font-size: .95rem; line-height: 1.3; }
legend { padding: 0 .4rem; color: var(--soft); }
label { font-weight: 600; } label + .soft { display: inline-block; }
input { font: inherit; width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .6rem; background: transparent; color: inherit; }
input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
button, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .6rem; border: 1px solid var(--act); background: transparent; color: var(--act); cursor: pointer; text-align: center; text-decoration: none; display: block; }
button.main, .button.main { background: var(--act); color: var(--on-act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
@media (max-width: 34rem) { main { margin: 0; padding: 1.25rem 1rem; border: 0; border-radius: 0; min-height: 100vh; } }
@media print { .test, nav, form, fieldset, details, .button { display: none; } main { border: 0; } body { background: #fff; } }
`;

/**
 * Counts down to `data-until`, shows the buttons that copy and what is true of a page with a script alone, and checks
 * ever less often whether the payment has changed: not at all while the page is hidden, and at once when it is seen
 * again; nor while a form of it is on its way, for a reload would lose where that leads. The page also works without
 * this script: it shows the deadline, a reload shows the current state, and what could be copied can be selected.
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
const clock = document.querySelector('[data-until]');
if (clock) {
  const skew = Number(clock.dataset.now) - Date.now();
  const until = Number(clock.dataset.until);
  const tick = () => {
    const left = Math.max(0, Math.ceil((until - Date.now() - skew) / 1000));
    const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((n) => String(n).padStart(2, '0'));
    clock.textContent = (h === '00' ? '' : h + ':') + m + ':' + s;
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

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { th: 'ไทย', en: 'English' };
