import type { Language } from '../domain/language.ts';
import { type ErrorCode, entryOf } from '../errors/catalogue.ts';
import { html } from './html.ts';
import { renderPage } from './page.ts';
import { type Texts, textsOf } from './texts.ts';

/** Codes that a payer can do something about. The others are temporary, or errors of the service. */
const KINDS: Readonly<Partial<Record<ErrorCode, keyof Texts['problemPages']>>> = {
  route_not_found: 'notFound',
  cross_origin_refused: 'otherSite',
  body_too_large: 'tooLong',
};

/** The page that a payer sees instead of the requested one: what happened, and what to do now. */
export function renderProblemPage(code: ErrorCode, language: Language, requestId: string): string {
  const texts = textsOf(language);
  const { status, retryAfterSeconds } = entryOf(code);
  const passing = status < 500 ? 'busy' : 'broken';
  const kind = KINDS[code] ?? (retryAfterSeconds === undefined ? 'unreadable' : passing);
  const { title, advice } = texts.problemPages[kind];
  const body = html`<main data-code="${code}">
<h1 class="state bad">${title}</h1>
<p>${advice}</p>
<p class="soft">${texts.requestId} <code>${requestId}</code></p>
</main>`;
  return renderPage({ language, title, body, keptQuery: {} });
}
