import { hash } from 'node:crypto';
import { Html, html } from './html.ts';
import type { Language } from './language.ts';

/** A self-contained page: its style and its script are inline, and it loads nothing from other hosts. */
export interface HtmlPage {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /** Whether it updates itself, which needs a script. */
  readonly isLive?: true;
  /** A prominent note if no money moves. */
  readonly testNote?: string | false | undefined;
}

/** A coin. Without an icon, browsers request /favicon.ico. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Ccircle cx=%228%22 cy=%228%22 r=%227%22 fill=%22%230b5cad%22/%3E%3C/svg%3E';

const STYLE = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --on-act: #fff; --good: #0a6b3d; --bad: #a3201c; --test: #7a4b00; --test-back: #fff3d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --on-act: #06213d; --good: #6fd6a3; --bad: #ff9d97; --test: #ffd98a; --test-back: #3a2c08; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, "Noto Sans Thai", "Sukhumvit Set", Thonburi, sans-serif; }
main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }
h1 { font-size: 1.15rem; line-height: 1.4; margin: 0 0 .25rem; font-weight: 600; }
h2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }
p { margin: .35rem 0; overflow-wrap: anywhere; }
.amount { font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.payee { color: var(--soft); margin: 0 0 .75rem; padding: 0 0 .75rem; border-bottom: 1px solid var(--line); } .payee strong { color: var(--ink); }
.soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); }
.state { font-size: 1.25rem; font-weight: 600; margin-top: 1rem; }
.test { background: var(--test-back); color: var(--test); padding: .5rem 1rem; text-align: center; font-weight: 600; }
.qr { display: block; width: min(100%, 17rem); height: auto; margin: 1rem auto; background: #fff; border-radius: .75rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
form { margin: 1rem 0 0; display: grid; gap: .6rem; }
fieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem 1rem; margin: 1.25rem 0 0; display: grid; gap: .6rem; }
details { margin-top: 1rem; } details form { margin-top: .6rem; }
summary { color: var(--act); cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .6rem 0; }
legend { padding: 0 .4rem; color: var(--soft); }
label { font-weight: 600; }
input { font: inherit; width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .6rem; background: transparent; color: inherit; }
input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
button, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .6rem; border: 1px solid var(--act); background: transparent; color: var(--act); cursor: pointer; text-align: center; text-decoration: none; display: block; }
button.main, .button.main { background: var(--act); color: var(--on-act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
@media (max-width: 34rem) { main { margin: 0; border: 0; border-radius: 0; min-height: 100vh; } }
@media print { .test, form, fieldset, details, .button { display: none; } main { border: 0; } body { background: #fff; } }
`;

/**
 * Counts down to `data-until`, and regularly checks whether the payment has changed. The page also works without this
 * script: it shows the deadline, and a reload shows the current state.
 */
const SCRIPT = `
const clock = document.querySelector('[data-until]');
if (clock) {
  const skew = Number(clock.dataset.now) - Date.now();
  const until = Number(clock.dataset.until);
  const tick = () => {
    const left = Math.max(0, Math.ceil((until - Date.now() - skew) / 1000));
    const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((n) => String(n).padStart(2, '0'));
    clock.textContent = (h === '00' ? '' : h + ':') + m + ':' + s;
    if (left > 0) setTimeout(tick, 500);
  };
  tick();
}
const main = document.querySelector('main[data-state]');
if (main && main.dataset.open) {
  const look = async () => {
    try {
      const text = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();
      const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main[data-state]');
      if (next && next.dataset.state !== main.dataset.state) return location.replace(location.href);
    } catch {}
    setTimeout(look, 2500);
  };
  setTimeout(look, 2500);
}
`;

/** A page may use its own style and script, show its own pictures, and send forms to its own service. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/* Referrer `same-origin`: with `no-referrer`, browsers would send `Origin: null` with the service's own forms. */
export function renderPage({ language, title, body, isLive, testNote }: HtmlPage): string {
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
${testNote ? html`<div class="test" role="note">${testNote}</div>` : null}
${body}
${isLive === true && html`<script>${new Html(SCRIPT)}</script>`}
</body>
</html>
`;
  return page.text;
}
