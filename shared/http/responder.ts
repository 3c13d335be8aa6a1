import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { isStatic, type Operation } from '../contract/operation.ts';
import { isAnyId } from '../domain/id.ts';
import { Problem } from '../errors/problem.ts';
import { isTemporary } from '../store/table/temporary.ts';
import { describeError, log } from '../telemetry/log.ts';
import type { Call, Requester } from './call.ts';
import { compress } from './compress.ts';
import { commonHeaders, problemResult } from './problem-result.ts';

/** An operation's response, before common headers. `body` is the exact text that is sent and, if idempotent, saved. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  /** Set where `body` is base64, since the response is no text. */
  readonly isBase64Encoded?: true;
  /** Headers of this response only. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the request that first got this response, if this is a replay. */
  readonly replayOf?: string;
}

/** Renders a problem as an HTML page; undefined if the response stays JSON. */
export type ProblemPage = (
  problem: Problem,
  call: Call,
) => { readonly body: string; readonly headers: Readonly<Record<string, string>> } | undefined;

export const JSON_TYPE = 'application/json';
const REPLAYED = 'Idempotent-Replayed';
const STATIC_MAX_AGE_SECONDS = 300;

/** The parts of a row that the frame needs. */
export type FramedRow = Pick<Operation, 'id' | 'permission' | 'reads' | 'changes'>;

/** A response of a row, as text. */
export function toResponse({ success }: Operation, response: unknown): HttpResponse {
  return 'contentType' in success
    ? { status: success.status, contentType: success.contentType, body: String(response) }
    : { status: success.status, contentType: JSON_TYPE, body: JSON.stringify(response) };
}

/** The data that is known at the end of a call. */
export interface EndedCall {
  readonly row: FramedRow;
  readonly call: Call;
  readonly requester: Requester | null;
}

/** A response as an HTTP result, with all headers. */
export function toResult(response: HttpResponse, { row, call, requester }: EndedCall): APIGatewayProxyResult {
  const { replayOf } = response;
  return {
    statusCode: response.status,
    headers: {
      ...commonHeaders(call, requester),
      'Content-Type': response.contentType,
      'Cache-Control': isStatic(row) ? `public, max-age=${STATIC_MAX_AGE_SECONDS}` : 'no-store',
      ...response.headers,
      ...(replayOf !== undefined && { [REPLAYED]: 'true', 'Original-Request-Id': replayOf }),
    },
    body: response.body,
    ...(response.isBase64Encoded && { isBase64Encoded: true }),
  };
}

/** Keeps how a call ended: with a problem, or with a replayed response. Never rejects. */
export type RecordEnd = (ended: EndedCall, outcome: CallOutcome) => Promise<void>;

/** The result of a call. */
export interface CallOutcome {
  readonly status: number;
  readonly body: string;
  /** The problem's code. */
  readonly code?: string;
  readonly isReplayed?: boolean;
}

/**
 * Ends every call, with or without a problem. Waits until the key's use is recorded, since Lambda freezes the process
 * once the response is sent.
 * @param toPage renders problems of addresses that people open in a browser
 */
export function responder(
  toPage?: ProblemPage,
  record?: RecordEnd,
): MiddlewareObj<EndedCall, APIGatewayProxyResult> {
  return {
    after: async ({ response, event: ended }) => response && complete(response, ended, record),
    onError: async ({ error, event: ended }) => refuse(error, ended, toPage, record),
  };
}

async function complete(
  result: APIGatewayProxyResult,
  ended: EndedCall,
  record?: RecordEnd,
): Promise<APIGatewayProxyResult> {
  const { statusCode: status, headers, body } = result;
  const isReplayed = headers?.[REPLAYED] !== undefined;
  // Requests that are not replayed are logged beside their commit.
  await Promise.all([ended.requester?.noted, isReplayed && record?.(ended, { status, body, isReplayed })]);
  const outcome = isReplayed ? 'replayed' : 'done';
  logOutcome(ended, result.statusCode, outcome, createdIdOf(ended.call, result));
  return mayCompress(ended.row) ? compress(result, ended.call) : result;
}

async function refuse(
  error: unknown,
  ended: EndedCall,
  toPage?: ProblemPage,
  record?: RecordEnd,
): Promise<APIGatewayProxyResult> {
  const problem = toProblem(error, ended.call);
  const result = problemResult(problem, ended.call, ended.requester);
  const { status, code } = problem;
  await Promise.all([ended.requester?.noted, record?.(ended, { status, code, body: result.body })]);
  logOutcome(ended, status, code);
  const page = toPage?.(problem, ended.call);
  return page ? { ...result, body: page.body, headers: { ...result.headers, ...page.headers } } : result;
}

/**
 * False for payers' pages: they hold a secret address beside text that others choose, and another site can make a
 * browser load them, so their compressed size could leak the secret (BREACH). Requests with a key do not come from
 * another site's page, and static pages hold no secret.
 */
function mayCompress(row: FramedRow): boolean {
  return row.permission !== null || isStatic(row);
}

function toProblem(error: unknown, call: Call): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (isTemporary(error)) {
    log.warn('the store did not answer', { request_id: call.requestId, error: describeError(error) });
    return new Problem('temporarily_unavailable');
  }
  log.error('unexpected error', { request_id: call.requestId, error: describeError(error) });
  return new Problem('internal_error');
}

/**
 * The log line of a request. It joins the request's ids at the gateway (whose log has the caller's address), the function
 * and the caller with the key and the resource.
 */
function logOutcome(
  { row, call, requester }: EndedCall,
  status: number,
  outcome: string,
  createdId?: string,
): void {
  const { event, context, requestId, startedAtMs } = call;
  const { requestId: gatewayRequestId, extendedRequestId } = event.requestContext;
  const pathId = event.pathParameters?.id;
  const key = requester?.key;
  log.info('request', {
    request_id: requestId,
    gateway_request_id: gatewayRequestId,
    ...(extendedRequestId !== undefined && { gateway_extended_request_id: extendedRequestId }),
    function_request_id: context.awsRequestId,
    operation: row.id,
    ...(key && { merchant: key.merchant, mode: key.mode, key_id: key.id }),
    // Only text in the form of an id, since a caller may have put an API key into the path.
    ...(pathId !== undefined && isAnyId(pathId) && { resource_id: pathId }),
    ...(createdId !== undefined && { created_id: createdId }),
    status,
    outcome,
    duration_ms: Date.now() - startedAtMs,
  });
}

/** The id of the resource that a request created, unless the path has it. */
function createdIdOf({ event }: Call, { headers, body }: APIGatewayProxyResult): string | undefined {
  const { httpMethod, pathParameters } = event;
  if (httpMethod === 'GET' || httpMethod === 'HEAD' || headers?.['Content-Type'] !== JSON_TYPE) {
    return undefined;
  }
  const { id }: { readonly id?: unknown } = JSON.parse(body);
  return typeof id === 'string' && id !== pathParameters?.id && isAnyId(id) ? id : undefined;
}
