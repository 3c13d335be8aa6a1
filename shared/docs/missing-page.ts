import type { Language } from '../domain/language.ts';
import { html } from '../pages/html.ts';
import type { DocsPage } from './docs-page.ts';
import { docsTextsOf } from './docs-texts.ts';

/** What a person sees at an address that leads nowhere. */
export function missingDocsPage(root: string, requestId: string, language: Language): Omit<DocsPage, 'data'> {
  const { title, hint, begin, request } = docsTextsOf(language).missing;
  const body = html`<h1>${title}</h1>
<p>${hint} <a href="${root}/docs">${begin}</a>${language === 'en' && '.'}</p>
<p class="type">${request} <code>${requestId}</code></p>`;
  return { title, body, isTranslated: true };
}
