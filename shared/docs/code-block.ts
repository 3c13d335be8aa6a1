import { type Html, html } from '../pages/html.ts';
import { highlight } from './highlight.ts';

/** A text to copy. */
export interface CodeBlock {
  readonly code: string;
  /** What highlights it: the word after a fence. */
  readonly language: string;
  /** What stands above it: the name of its language or its file. */
  readonly name?: string | undefined;
}

export function renderCode({ code, language, name }: CodeBlock): Html {
  return html`<div class="code"${name !== undefined && html` data-sample="${name}"`}>${name !== undefined && html`<p class="of">${name}</p>\n`}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>\n`;
}

/** The same in several languages. Without a script, one stands below the other; with it, each has a tab. */
export function renderSamples(blocks: readonly CodeBlock[]): Html {
  const shown = blocks.map(renderCode);
  return shown.length > 1 ? html`<div class="samples">\n${shown}</div>\n` : html`${shown}`;
}

/** A value as JSON, with two spaces. */
export function renderJson(value: unknown): Html {
  return renderCode({ code: JSON.stringify(value, null, 2), language: 'json', name: 'JSON' });
}
