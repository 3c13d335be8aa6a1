import { hash } from 'node:crypto';
import { CONSOLE_SCRIPT } from './script.ts';
import { CONSOLE_STYLE } from './style.ts';

/**
 * Allows only this style and script, by their hashes, and requests only to this service. No text can become markup.
 */
const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${hash('sha256', CONSOLE_SCRIPT, 'base64')}'`,
  `style-src 'sha256-${hash('sha256', CONSOLE_STYLE, 'base64')}'`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234338ca'/%3E%3Cpath d='M5 4h4a2 2 0 0 1 0 4H5zm0 4h5a2 2 0 0 1 0 4H5zM8 2v12' fill='none' stroke='%23fff' stroke-width='1.4'/%3E%3C/svg%3E";

export const CONSOLE_HEADERS = { 'Content-Security-Policy': POLICY } as const;

/**
 * The console in one page, so that its script and style always have the same version as the page.
 * @param baseUrl of the service; the page sends requests to the path of this address, on its own origin
 */
export function renderConsole(baseUrl: string): string {
  const root = new URL(baseUrl).pathname.replace(/\/$/, '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Console · Payments</title>
<link rel="icon" href="${ICON}">
<style>${CONSOLE_STYLE}</style>
</head>
<body data-root="${root.replaceAll('"', '%22')}">
<a id="skip" class="skip" href="#stage">Skip to the operation</a>
<header class="top">
<h1><span class="mark" aria-hidden="true">฿</span> Payments <span class="thin">Console</span></h1>
<div class="key">
<form id="key-form" autocomplete="off" novalidate>
<label for="key">Test key</label>
<input id="key" type="text" class="mono secret" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" placeholder="pg_test_…" aria-describedby="key-message key-note">
<button type="submit" class="primary">Connect</button>
</form>
<p id="key-state" hidden><span class="live-dot" aria-hidden="true"></span> Connected with a test key <button id="disconnect" type="button" class="small">Forget key</button></p>
<p id="key-note" class="hint">Kept in the memory of this tab alone. A live key is refused before anything is sent.</p>
<p id="key-message" role="alert"></p>
</div>
</header>
<div class="columns">
<nav aria-label="Endpoints and operations">
<a id="to-endpoints" href="#endpoints"><span class="what">Webhook endpoints<span class="hint block">Your servers, and what was sent to them</span></span></a>
<details id="menu" open>
<summary>Operations</summary>
<div class="search"><label for="search">Find an operation</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="refund, POST … (Ctrl + K)"></div>
<div id="operations"></div>
</details>
</nav>
<main id="stage" tabindex="-1"><p class="hint">Reading what this service can do …</p><noscript><p>The console needs JavaScript. The service is described at <a href="${root}/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></noscript></main>
<aside id="world" aria-label="Test world">
<div class="aside-head"><h2>Test world</h2><button id="live-pause" type="button" class="small" aria-pressed="false">Pause</button></div>
<p class="hint only-locked">Connect with a test key to see the clock, payments, events and webhooks of your test world, as they change.</p>
<div class="only-connected">
<div id="live-report" class="report"></div>
<section><h3>Clock</h3><div id="live-clock"></div></section>
<section><h3>Payments</h3><div id="live-payments"></div></section>
<section><h3>Webhook sinks</h3><div id="live-sinks"></div></section>
<section><h3>Events</h3><div id="live-events"></div></section>
</div>
</aside>
</div>
<p id="announcement" class="unseen" role="status"></p>
<script>${CONSOLE_SCRIPT}</script>
</body>
</html>
`;
}
