import { Html, html } from '../pages/html.ts';

/** A sentence of the contract: what stands between backticks is code. */
export function inlineText(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return new Html(parts.map((part) => part.text).join(''));
}
