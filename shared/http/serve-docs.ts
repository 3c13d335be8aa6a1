import type { OpenApiDocument } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { contentsOf, guideEntries } from '../docs/contents.ts';
import type { DocsPage } from '../docs/docs-page.ts';
import { missingDocsPage } from '../docs/missing-page.ts';
import { DOCS_POLICY, renderDocs } from '../docs/render-docs.ts';
import { documentAt } from '../docs/service-document.ts';
import type { Language } from '../domain/language.ts';
import { found, type Problem } from '../errors/problem.ts';
import { languageNamed, languageOf } from '../pages/language.ts';
import { prefersHtml, prefersMarkdown } from './accepted.ts';
import { type Call, headerOf } from './call.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { type Params, parse } from './parse.ts';
import { JSON_TYPE, type ProblemPage } from './responder.ts';

const HTML_TYPE = 'text/html; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const VARY = 'Accept, Accept-Language';
const HTML_HEADERS = { Vary: VARY, 'Content-Security-Policy': DOCS_POLICY } as const;
const SEARCHED_MAX_CHARS = 100;

/** The parts of a page of the documentation. */
export interface DocsRequest<Row extends Operation> {
  readonly params: Params<Row['path']>;
  readonly document: OpenApiDocument;
  readonly baseUrl: string;
  /** The path of the base URL: the pages may not be at the root of their host. */
  readonly root: string;
  /** The search terms, or undefined. */
  readonly query: string | undefined;
  readonly language: Language;
}

/**
 * Makes the Lambda function of a page of the documentation: HTML for people, JSON for programs, by `Accept` (contract
 * §18), and Markdown where the page is written in it.
 * @param find the page, or null where the address names nothing
 */
export function serveDocs<const Row extends Operation>(
  row: Row,
  find: (request: DocsRequest<Row>) => DocsPage | null,
): LambdaHandler {
  const { status } = row.success;
  return frame(
    row,
    async (call) => {
      const { params } = parse(row, call, null);
      const { baseUrl } = call;
      const document = documentAt(baseUrl);
      const root = rootOf(call);
      const query = call.event.queryStringParameters?.q?.trim().slice(0, SEARCHED_MAX_CHARS) || undefined;
      const languages = languagesOf(call);
      const page = found(
        find({ params, document, baseUrl, root, query, language: languages.language }),
        'route_not_found',
      );
      if (page.markdown !== undefined && asksForMarkdown(call)) {
        return { status, body: page.markdown, contentType: MARKDOWN_TYPE, headers: { Vary: VARY } };
      }
      if (!prefersHtml(headerOf(call, 'accept'))) {
        return { status, body: JSON.stringify(page.data), contentType: JSON_TYPE, headers: { Vary: VARY } };
      }
      const body = renderDocs(contentsOf(document), {
        ...page,
        ...languages,
        root,
        path: pathOf(call),
        query,
      });
      return { status, body, contentType: HTML_TYPE, headers: HTML_HEADERS };
    },
    missingPage,
  );
}

function asksForMarkdown(call: Call): boolean {
  return pathOf(call).endsWith('.md') || prefersMarkdown(headerOf(call, 'accept'));
}

/** The page for an unknown address; programs get the problem. */
export function missingPage(problem: Problem, call: Call): ReturnType<ProblemPage> {
  if (problem.code !== 'route_not_found' || !prefersHtml(headerOf(call, 'accept'))) {
    return undefined;
  }
  const root = rootOf(call);
  const languages = languagesOf(call);
  const page = missingDocsPage(root, call.requestId, languages.language);
  return {
    body: renderDocs(guideEntries(), { ...page, ...languages, root, path: pathOf(call) }),
    headers: { ...HTML_HEADERS, 'Content-Type': HTML_TYPE },
  };
}

/** The language that the address names, or else the one that the browser prefers. */
function languagesOf(call: Call): { language: Language; namedLanguage: Language | undefined } {
  const namedLanguage = languageNamed(call.event.queryStringParameters?.lang);
  return { language: namedLanguage ?? languageOf(headerOf(call, 'accept-language')), namedLanguage };
}

function rootOf({ baseUrl }: Call): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** From the root of the service, as the gateway gives it. */
function pathOf({ event }: Call): string {
  return event.path;
}
