import { hash } from 'node:crypto';
import { hasTestKit } from '../../contract/test-kit.ts';
import { consoleAssets } from './assets.ts';

/**
 * Allows only this style and script, by their hashes, and requests only to this service. No text can become markup.
 */
function policyFor(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234338ca'/%3E%3Cpath d='M5 4h4a2 2 0 0 1 0 4H5zm0 4h5a2 2 0 0 1 0 4H5zM8 2v12' fill='none' stroke='%23fff' stroke-width='1.4'/%3E%3C/svg%3E";

/**
 * The console in one page, so that its script and style always have the same version as the page.
 * @param baseUrl of the service; the page sends requests to the path of this address, on its own origin
 */
export async function renderConsole(baseUrl: string) {
  const { script, style } = await consoleAssets();
  const root = new URL(baseUrl).pathname.replace(/\/$/, '');
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Dashboard · Payments</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body data-root="${root.replaceAll('"', '%22')}" data-test-kit="${hasTestKit() ? 'on' : 'off'}">
<div id="app"></div>
<noscript><p class="start">The console needs JavaScript. The service is described at <a href="${root}/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></noscript>
<script>${script}</script>
</body>
</html>
`;
  return { status: 200, body, policy: policyFor(script, style) } as const;
}
