import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { toTimestamp } from '../domain/clock.ts';
import { isAnyId } from '../domain/id.ts';
import { worldNow } from '../domain/world.ts';
import { entryOf } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { isTemporary } from '../store/temporary.ts';
import { beginCall, type Call, type CallContext, callOf } from './call.ts';
import { describeError, log } from './log.ts';

/** What an operation says, before headers: the text exactly as it is sent and, for idempotent ones, saved. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request that made this answer, where it is a replay. */
  readonly replayOf?: string;
}

/** How a problem is said where people see it; undefined where it is not. */
export type ProblemPage = (
  problem: Problem,
  call: Call,
  event: APIGatewayProxyEvent,
) => { readonly body: string; readonly headers: Readonly<Record<string, string>> } | undefined;

export const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';
const STATIC_MAX_AGE_SECONDS = 300;

type Responder = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult | Answer, Error, CallContext>;

/** The one place that makes answers: headers, problem bodies and the log line of every request, good or bad. */
export function responder(row: Pick<Operation, 'id' | 'storage'>, toPage?: ProblemPage): Responder {
  return {
    before: ({ event, context }) => {
      context.call = beginCall(event);
    },
    after: (request) => {
      const call = callOf(request.context);
      const answer = request.response as Answer;
      const outcome = answer.replayOf === undefined ? 'done' : 'replayed';
      logOutcome(row, request, answer.status, outcome, createdIdOf(request.event, answer));
      request.response = {
        statusCode: answer.status,
        headers: {
          ...commonHeaders(call),
          'Content-Type': answer.contentType,
          'Cache-Control': row.storage === 'none' ? `public, max-age=${STATIC_MAX_AGE_SECONDS}` : 'no-store',
          ...answer.headers,
          ...(answer.replayOf !== undefined && {
            'Idempotent-Replayed': 'true',
            'Original-Request-Id': answer.replayOf,
          }),
        },
        body: answer.body,
      };
    },
    onError: (request) => {
      const call = callOf(request.context);
      const problem = toProblem(request.error, call);
      logOutcome(row, request, problem.status, problem.code);
      const result = problemResult(problem, call);
      const page = toPage?.(problem, call, request.event);
      request.response = page
        ? { ...result, body: page.body, headers: { ...result.headers, ...page.headers } }
        : result;
    },
  };
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

function problemResult(problem: Problem, call: Call): APIGatewayProxyResult {
  const { status, title, advice, retryAfterSeconds } = entryOf(problem.code);
  const { detail, details, errors, headers } = problem.more;
  return {
    statusCode: status,
    headers: {
      ...commonHeaders(call),
      'Content-Type': PROBLEM_TYPE,
      'Cache-Control': 'no-store',
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
      ...headers,
    },
    body: JSON.stringify({
      type: `${call.baseUrl}/errors/${problem.code}`,
      title,
      status,
      code: problem.code,
      detail: detail ?? advice,
      instance: `urn:request:${call.requestId}`,
      ...(details && { details }),
      ...(errors && { errors }),
    }),
  };
}

function commonHeaders(call: Call): Record<string, string> {
  const { caller } = call;
  return {
    'X-Request-Id': call.requestId,
    'X-Content-Type-Options': 'nosniff',
    ...(caller && { 'PG-Version': caller.version }),
    ...(caller?.world.mode === 'test' && { 'PG-Clock': toTimestamp(worldNow(caller.world, Date.now())) }),
  };
}

/**
 * The one line of a request. It ties what the gateway calls it, in whose log the caller's address is, to what the function
 * and the caller call it, to the key, and to what it was about.
 */
function logOutcome(
  row: Pick<Operation, 'id'>,
  { event, context }: { readonly event: APIGatewayProxyEvent; readonly context: CallContext },
  status: number,
  outcome: string,
  createdId?: string,
): void {
  const { caller, requestId, startedAtMs } = callOf(context);
  const { requestId: gatewayRequestId, extendedRequestId } = event.requestContext;
  const pathId = event.pathParameters?.id;
  log.info('request', {
    request_id: requestId,
    gateway_request_id: gatewayRequestId,
    ...(extendedRequestId !== undefined && { gateway_extended_request_id: extendedRequestId }),
    function_request_id: context.awsRequestId,
    operation: row.id,
    ...(caller && {
      merchant: caller.key.merchant,
      mode: caller.key.mode,
      key_id: caller.key.id,
    }),
    // Only what can be an id: in its place a caller may have sent a key.
    ...(pathId !== undefined && isAnyId(pathId) && { resource_id: pathId }),
    ...(createdId !== undefined && { created_id: createdId }),
    status,
    outcome,
    duration_ms: Date.now() - startedAtMs,
  });
}

/** The id of what a request has made, where it is not the one that its path names. */
function createdIdOf({ httpMethod, pathParameters }: APIGatewayProxyEvent, answer: Answer) {
  if (httpMethod === 'GET' || answer.contentType !== JSON_TYPE) {
    return undefined;
  }
  const { id } = JSON.parse(answer.body) as { readonly id?: unknown };
  return typeof id === 'string' && id !== pathParameters?.id && isAnyId(id) ? id : undefined;
}
