import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { isAnyId } from '../domain/id.ts';
import { Problem } from '../errors/problem.ts';
import { isTemporary } from '../store/temporary.ts';
import { describeError, log } from '../telemetry/log.ts';
import type { Asker, Call } from './call.ts';
import { compress } from './compress.ts';
import { commonHeaders, problemResult } from './problem-result.ts';

/** An operation's answer, before common headers. `body` is the exact text that is sent and, if idempotent, saved. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request that made this answer, where it is a replay. */
  readonly replayOf?: string;
}

/** Renders a problem as an HTML page; undefined where the answer stays JSON. */
export type ProblemPage = (
  problem: Problem,
  call: Call,
) => { readonly body: string; readonly headers: Readonly<Record<string, string>> } | undefined;

export const JSON_TYPE = 'application/json';
const REPLAYED = 'Idempotent-Replayed';
const STATIC_MAX_AGE_SECONDS = 300;

/** The parts of a row that the frame needs. */
export type FramedRow = Pick<Operation, 'id' | 'storage' | 'permission'>;

/** An answer of a row, as text. */
export function toAnswer({ success }: Operation, answer: unknown): Answer {
  return 'contentType' in success
    ? { status: success.status, contentType: success.contentType, body: String(answer) }
    : { status: success.status, contentType: JSON_TYPE, body: JSON.stringify(answer) };
}

/** What is known at the end of a call. */
export interface Ended {
  readonly row: FramedRow;
  readonly call: Call;
  readonly asker: Asker | null;
}

/** An answer as an HTTP result, with all headers. */
export function toResult(answer: Answer, { row, call, asker }: Ended): APIGatewayProxyResult {
  const { replayOf } = answer;
  return {
    statusCode: answer.status,
    headers: {
      ...commonHeaders(call, asker),
      'Content-Type': answer.contentType,
      'Cache-Control': row.storage === 'none' ? `public, max-age=${STATIC_MAX_AGE_SECONDS}` : 'no-store',
      ...answer.headers,
      ...(replayOf !== undefined && { [REPLAYED]: 'true', 'Original-Request-Id': replayOf }),
    },
    body: answer.body,
  };
}

/**
 * Ends every call, with or without a problem. Waits until the key's use is noted, since Lambda freezes the process once
 * the answer is sent.
 * @param toPage renders problems of addresses that people open in a browser
 */
export function responder(
  ended: () => Ended,
  toPage?: ProblemPage,
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    after: async ({ response }) => response && complete(response, ended()),
    onError: async ({ error }) => refuse(error, ended(), toPage),
  };
}

async function complete(result: APIGatewayProxyResult, ended: Ended): Promise<APIGatewayProxyResult> {
  await ended.asker?.noted;
  const outcome = result.headers?.[REPLAYED] === undefined ? 'done' : 'replayed';
  logOutcome(ended, result.statusCode, outcome, createdIdOf(ended.call, result));
  return mayCompress(ended.row) ? compress(result, ended.call) : result;
}

async function refuse(error: unknown, ended: Ended, toPage?: ProblemPage): Promise<APIGatewayProxyResult> {
  await ended.asker?.noted;
  const problem = toProblem(error, ended.call);
  logOutcome(ended, problem.status, problem.code);
  const result = problemResult(problem, ended.call, ended.asker);
  const page = toPage?.(problem, ended.call);
  return page ? { ...result, body: page.body, headers: { ...result.headers, ...page.headers } } : result;
}

/**
 * Not for payers' pages: they hold a secret address beside text that others choose, and another site can make a browser
 * load them, so their compressed size could leak the secret (BREACH). Requests with a key do not come from another
 * site's page, and static pages hold no secret.
 */
function mayCompress({ permission, storage }: FramedRow): boolean {
  return permission !== null || storage === 'none';
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
function logOutcome({ row, call, asker }: Ended, status: number, outcome: string, createdId?: string): void {
  const { event, context, requestId, startedAtMs } = call;
  const { requestId: gatewayRequestId, extendedRequestId } = event.requestContext;
  const pathId = event.pathParameters?.id;
  const key = asker?.key;
  log.info('request', {
    request_id: requestId,
    gateway_request_id: gatewayRequestId,
    ...(extendedRequestId !== undefined && { gateway_extended_request_id: extendedRequestId }),
    function_request_id: context.awsRequestId,
    operation: row.id,
    ...(key && { merchant: key.merchant, mode: key.mode, key_id: key.id }),
    // Only what has the form of an id: a caller may have put an API key into the path.
    ...(pathId !== undefined && isAnyId(pathId) && { resource_id: pathId }),
    ...(createdId !== undefined && { created_id: createdId }),
    status,
    outcome,
    duration_ms: Date.now() - startedAtMs,
  });
}

/** The id of the resource that a request created, where it is not the one in the path. */
function createdIdOf({ event }: Call, { headers, body }: APIGatewayProxyResult): string | undefined {
  const { httpMethod, pathParameters } = event;
  if (httpMethod === 'GET' || httpMethod === 'HEAD' || headers?.['Content-Type'] !== JSON_TYPE) {
    return undefined;
  }
  const { id }: { readonly id?: unknown } = JSON.parse(body);
  return typeof id === 'string' && id !== pathParameters?.id && isAnyId(id) ? id : undefined;
}
