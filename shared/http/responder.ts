import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { isAnyId } from '../domain/id.ts';
import { Problem } from '../errors/problem.ts';
import { isTemporary } from '../store/temporary.ts';
import { beginCall, type Call, type CallContext, callOf } from './call.ts';
import { compress } from './compress.ts';
import { describeError, log } from './log.ts';
import { commonHeaders, problemResult } from './problem-result.ts';

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
const STATIC_MAX_AGE_SECONDS = 300;

/** What is known of whatever answers. */
export type FramedRow = Pick<Operation, 'id' | 'storage' | 'permission'>;

type Responder = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult | Answer, Error, CallContext>;

/** The one place that makes answers: headers, problem bodies and the log line of every request, good or bad. */
export function responder(row: FramedRow, toPage?: ProblemPage): Responder {
  return {
    before: ({ event, context }) => {
      context.call = beginCall(event);
    },
    after: async (request) => {
      const call = callOf(request.context);
      const answer = request.response as Answer;
      const outcome = answer.replayOf === undefined ? 'done' : 'replayed';
      logOutcome(row, request, answer.status, outcome, createdIdOf(request.event, answer));
      const result = {
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
      request.response = mayCompress(row) ? await compress(result, call) : result;
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

/**
 * Not payers' pages: a browser asks for them, which others can make it do, and they have the address that it takes to pay
 * beside text of others, so how well they compress could be made to tell. What takes a key is asked for by no browser of
 * somebody else's, and a page that is the same for everybody has nothing to tell.
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
  const { key, requestId, startedAtMs } = callOf(context);
  const { requestId: gatewayRequestId, extendedRequestId } = event.requestContext;
  const pathId = event.pathParameters?.id;
  log.info('request', {
    request_id: requestId,
    gateway_request_id: gatewayRequestId,
    ...(extendedRequestId !== undefined && { gateway_extended_request_id: extendedRequestId }),
    function_request_id: context.awsRequestId,
    operation: row.id,
    ...(key && { merchant: key.merchant, mode: key.mode, key_id: key.id }),
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
  if (httpMethod === 'GET' || httpMethod === 'HEAD' || answer.contentType !== JSON_TYPE) {
    return undefined;
  }
  const { id } = JSON.parse(answer.body) as { readonly id?: unknown };
  return typeof id === 'string' && id !== pathParameters?.id && isAnyId(id) ? id : undefined;
}
