import type { Context } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import type { Language } from '../domain/language.ts';
import { Problem } from '../errors/problem.ts';
import { languageNamed, languageOf } from '../pages/language.ts';
import { policyOf } from '../pages/page.ts';
import { renderProblemPage } from '../pages/problem-page.ts';
import { prefersHtml, prefersProblem } from './accepted.ts';
import { type BodyKind, readText } from './body.ts';
import { type Call, headerOf } from './call.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { type Params, parse } from './parse.ts';
import { type HttpResponse, type ProblemPage, toResponse } from './responder.ts';

/** Headers of a public document: pages of any origin may read it, since tools that show it run in browsers. */
export const FOR_EVERY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };
/** LINE names its in-app browser so: `Mozilla/5.0 … Line/15.3.0`. */
const LINE_BROWSER = /\bLine\//;
const HTML_HEADERS = { 'Content-Security-Policy': policyOf(), Vary: 'Accept-Language' } as const;
/** The body of a page's form. */
const FORM = {
  mediaType: 'application/x-www-form-urlencoded',
  maxBytes: 8 * 1_024,
  malformed: 'malformed_request',
} as const satisfies BodyKind;

/** The input of a public page: its address and the caller's language. */
export interface PayerPageRequest<Row extends Operation> {
  readonly params: Params<Row['path']>;
  /** Unchecked, since anyone who shares an address may add parameters. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly baseUrl: string;
  readonly realNowMs: number;
  readonly language: Language;
  /** The language that the address names: links and redirects keep it. */
  readonly namedLanguage: Language | undefined;
  /** The request's header, as it came. */
  readonly accept: string | undefined;
  /** Whether the page is open in LINE's own browser, which cannot save pictures. */
  readonly isInLine: boolean;
}

export interface FormRequest<Row extends Operation> extends PayerPageRequest<Row> {
  /** The form's fields, none of them repeated. */
  readonly form: Readonly<Record<string, string>>;
  /** The client's address as the gateway saw it. */
  readonly source: string;
  readonly requestId: string;
  readonly context: Context;
}

/** A page whose status is not the row's. */
export interface PageResponse {
  readonly status: 200 | 409 | 410 | 422 | 429 | 503;
  readonly body: string;
  /** Set where `body` is base64. */
  readonly isBase64Encoded?: true;
  /**
   * What a browser saves the response as. The response says so and not its link: for a link with `download`, Chromium
   * sends no `Accept`, and the gateway would hand on the text of base64.
   */
  readonly filename?: string;
  /** Replaces the policy of pages that have neither a logo nor a script. */
  readonly policy?: string;
  /** When to try again, if that helps. */
  readonly retryAfterSeconds?: number | null | undefined;
  /** What a caller gets instead that asks for a problem and not for a page. Both have its headers. */
  readonly problem?: Problem;
}

/** A page with the row's status, unless it has one of its own. */
type RenderedPage = Omit<PageResponse, 'status'> & { readonly status?: number };

/** The address to which the caller is sent on. */
interface SeeOther {
  readonly seeOther: string;
}

/**
 * Makes the Lambda function of a page, which needs no key.
 * @param headers replace those that every page has, such as the content security policy
 */
export function servePage<const Row extends Operation>(
  row: Row,
  render: (request: PayerPageRequest<Row>) => Promise<string | PageResponse | SeeOther>,
  headers: HttpResponse['headers'] = {},
): LambdaHandler {
  return publicFunction(row, async (request, call) => {
    const rendered = await render(request);
    const page = responseOf(row, call, typeof rendered === 'string' ? { body: rendered } : rendered);
    return { ...page, headers: { ...page.headers, ...headers } };
  });
}

/**
 * Makes the Lambda function that receives a page's form. Anyone who knows the page's secret address may send it, but
 * only from the page itself.
 */
export function serveForm<const Row extends Operation>(
  row: Row,
  act: (request: FormRequest<Row>) => Promise<PageResponse | SeeOther>,
): LambdaHandler {
  return publicFunction(row, async (page, call) => {
    requireOwnOrigin(call);
    const { requestId, source, context } = call;
    const response = await act({ ...page, form: readForm(call), source, requestId, context });
    return responseOf(row, call, response);
  });
}

function publicFunction<const Row extends Operation>(
  row: Row,
  run: (request: PayerPageRequest<Row>, call: Call) => Promise<HttpResponse>,
): LambdaHandler {
  const steps = async (call: Call) => {
    const { event, baseUrl, startedAtMs } = call;
    const { params } = parse(row, call, null);
    const query = event.queryStringParameters ?? {};
    const named = { language: languageFor(call), namedLanguage: languageNamed(query.lang) };
    const isInLine = LINE_BROWSER.test(headerOf(call, 'user-agent') ?? '');
    return run(
      {
        params,
        query,
        baseUrl,
        realNowMs: startedAtMs,
        isInLine,
        accept: headerOf(call, 'accept'),
        ...named,
      },
      call,
    );
  };
  return frame(row, steps, row.problems === 'pages' ? problemFor : missingPicture);
}

/** @throws Problem where the caller asks for one */
function responseOf(row: Operation, call: Call, page: RenderedPage | SeeOther): HttpResponse {
  return 'seeOther' in page
    ? { ...toPage(row, { body: '', status: 303 }), headers: { Location: page.seeOther } }
    : toPage(row, pageFor(call, page));
}

function pageFor(call: Call, page: RenderedPage): RenderedPage {
  if (page.problem !== undefined && prefersProblem(headerOf(call, 'accept'))) {
    throw page.problem;
  }
  return page;
}

function problemFor(problem: Problem, call: Call): ReturnType<ProblemPage> {
  return prefersProblem(headerOf(call, 'accept')) ? undefined : problemPage(problem, call);
}

function toPage(row: Operation, page: RenderedPage): HttpResponse {
  const { body, status, isBase64Encoded, filename, policy, retryAfterSeconds, problem } = page;
  const response = toResponse(row, body);
  return {
    ...response,
    ...(status !== undefined && { status }),
    ...(isBase64Encoded && { isBase64Encoded }),
    headers: {
      ...(response.contentType.startsWith('text/html') && HTML_HEADERS),
      ...(policy !== undefined && { 'Content-Security-Policy': policy }),
      ...(filename !== undefined && { 'Content-Disposition': `attachment; filename="${filename}"` }),
      ...(typeof retryAfterSeconds === 'number' && { 'Retry-After': String(retryAfterSeconds) }),
      ...problem?.headers,
    },
  };
}

/** The language that the address names, or else the one that the browser prefers. */
function languageFor(call: Call): Language {
  const named = languageNamed(call.event.queryStringParameters?.lang);
  return named ?? languageOf(headerOf(call, 'accept-language'));
}

/** A problem as an HTML page, since a payer who mistyped an address has no use for JSON. */
export function problemPage(problem: Problem, call: Call): ReturnType<ProblemPage> {
  const body = renderProblemPage(problem.code, languageFor(call), call.requestId);
  return { body, headers: { ...HTML_HEADERS, 'Content-Type': 'text/html; charset=utf-8' } };
}

/** A browser that opens the address of a missing picture gets a page, too. */
function missingPicture(problem: Problem, call: Call): ReturnType<ProblemPage> {
  const isPage = problem.code === 'route_not_found' && prefersHtml(headerOf(call, 'accept'));
  return isPage ? problemPage(problem, call) : undefined;
}

/**
 * Refuses forms that another site makes a payer's browser send. Browsers name the sender in `Sec-Fetch-Site`, older ones
 * in `Origin`; a client that sends neither is no browser, so no site can misuse it (contract §7).
 * @throws Problem `cross_origin_refused`
 */
function requireOwnOrigin(call: Call): void {
  const site = headerOf(call, 'sec-fetch-site');
  const origin = headerOf(call, 'origin');
  const isOwn =
    site === undefined
      ? origin === undefined || origin === new URL(call.baseUrl).origin
      : site === 'same-origin' || site === 'none';
  if (!isOwn) {
    throw new Problem('cross_origin_refused');
  }
}

/** @throws Problem `malformed_request` for a field that was sent twice: which value was meant is unknown */
function readForm(call: Call): Record<string, string> {
  const pairs = readText(call, FORM)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decodeField(name), decodeField(value.join('='))] as const;
    });
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) {
    throw new Problem('malformed_request', { detail: 'A field was sent more than once: send it once.' });
  }
  return Object.fromEntries(pairs);
}

/** Not URLSearchParams, which replaces bytes that are not UTF-8 by U+FFFD instead of failing. */
function decodeField(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new Problem('malformed_request');
  }
}
