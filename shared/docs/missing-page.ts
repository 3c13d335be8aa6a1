import { type Html, html } from '../pages/html.ts';

/** What a person sees at an address that leads nowhere. */
export function renderMissing(root: string, requestId: string): Html {
  return html`<h1>Page not found</h1>
<p>There is nothing at this address. Check it for typing errors, search above, or begin at <a href="${root}/docs">the documentation</a>.</p>
<p class="type">Request <code>${requestId}</code></p>`;
}
