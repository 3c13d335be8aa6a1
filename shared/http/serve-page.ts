import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { type Language, languageOf } from '../pages/language.ts';
import { PAGE_POLICY } from '../pages/page.ts';
import { type BodyKind, readText } from './body.ts';
import { type Call, type CallContext, callOf, headerOf } from './call.ts';
import { frame, type LambdaHandler, type Params, toAnswer } from './frame.ts';
import { parse } from './parse.ts';
import type { Answer } from './responder.ts';

/** What a form of a page may be. */
const FORM = {
  mediaType: 'application/x-www-form-urlencoded',
  maxBytes: 8 * 1_024,
  malformed: 'malformed_request',
} as const satisfies BodyKind;

/** What a public page is given: its address, and nothing about a caller but the language. */
export interface PageRequest<Row extends Operation> {
  readonly params: Params<Row['path']>;
  readonly baseUrl: string;
  readonly realNowMs: number;
  readonly language: Language;
}

export interface FormRequest<Row extends Operation> extends PageRequest<Row> {
  /** The fields that were sent, each once. */
  readonly form: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly context: CallContext;
}

/** A page, where its status is not that of the row. */
export interface PageAnswer {
  readonly status: 200 | 409 | 410 | 422;
  readonly body: string;
}

/**
 * Makes a Lambda function of a row that asks for no key.
 * @param headers of a page that needs other ones than every page has, such as a policy of its own
 */
export function servePage<const Row extends Operation>(
  row: Row,
  render: (request: PageRequest<Row>) => Promise<string | PageAnswer>,
  headers: Answer['headers'] = {},
): LambdaHandler {
  return publicFunction(row, async (_event, context) => {
    const rendered = await render(toPageRequest<Row>(callOf(context)));
    const page =
      typeof rendered === 'string' ? toPage(row, rendered) : toPage(row, rendered.body, rendered.status);
    return { ...page, headers: { ...page.headers, ...headers } };
  });
}

/** Makes a Lambda function of a row that takes a form of a page: the address is the proof that it may be sent. */
export function serveForm<const Row extends Operation>(
  row: Row,
  act: (request: FormRequest<Row>) => Promise<PageAnswer | { readonly seeOther: string }>,
): LambdaHandler {
  return publicFunction(row, async (event, context) => {
    const call = callOf(context);
    const { requestId } = call;
    const answer = await act({
      ...toPageRequest<Row>(call),
      form: readForm(event, call),
      requestId,
      context,
    });
    return 'seeOther' in answer
      ? { ...toPage(row, '', 303), headers: { Location: answer.seeOther } }
      : toPage(row, answer.body, answer.status);
  });
}

/** Answers only with problems: for addresses that are nobody's. */
export function serveProblem(find: (event: APIGatewayProxyEvent) => Problem): LambdaHandler {
  const run = async (event: APIGatewayProxyEvent): Promise<never> => {
    throw find(event);
  };
  return frame({ id: 'service.UnknownRoute', storage: 'none' }).handler(
    run as never,
  ) as unknown as LambdaHandler;
}

function publicFunction(
  row: Operation,
  run: (event: APIGatewayProxyEvent, context: CallContext) => Promise<Answer>,
): LambdaHandler {
  return frame(row)
    .use(parse(row))
    .handler(run as never) as unknown as LambdaHandler;
}

function toPageRequest<Row extends Operation>(call: Call): PageRequest<Row> {
  const { input, baseUrl, startedAtMs } = call;
  const language = languageOf(headerOf(call, 'accept-language'));
  return { params: input?.params as Params<Row['path']>, baseUrl, realNowMs: startedAtMs, language };
}

function toPage(row: Operation, body: string, status?: number): Answer {
  const answer = toAnswer(row, body);
  const isHtml = answer.contentType.startsWith('text/html');
  return {
    ...answer,
    ...(status !== undefined && { status }),
    ...(isHtml && { headers: { 'Content-Security-Policy': PAGE_POLICY, Vary: 'Accept-Language' } }),
  };
}

/** Each field once: of two, neither would be what was meant. */
function readForm(event: APIGatewayProxyEvent, call: Call): Record<string, string> {
  const pairs = readText(event, call, FORM)
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

/** Not URLSearchParams, which puts a sign for "unknown" in place of bytes that are no UTF-8. */
function decodeField(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new Problem('malformed_request');
  }
}
