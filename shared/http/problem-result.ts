import type { APIGatewayProxyResult } from 'aws-lambda';
import { securityHeaders } from '../contract/security-headers.ts';
import { toTimestamp } from '../domain/clock.ts';
import { worldNow } from '../domain/world.ts';
import { entryOf } from '../errors/catalogue.ts';
import { detailOf } from '../errors/detail.ts';
import type { Problem } from '../errors/problem.ts';
import type { Call, Requester } from './call.ts';

const PROBLEM_TYPE = 'application/problem+json';

/** What a problem response needs of the call. Broken requests that reach no function have only this. */
type ProblemCall = Pick<Call, 'requestId' | 'baseUrl'>;

/**
 * The HTTP response for a problem (contract §2).
 * @param requester the caller, if known
 */
export function problemResult(
  problem: Problem,
  call: ProblemCall,
  requester: Requester | null = null,
): APIGatewayProxyResult {
  const { status, title, advice, retryAfterSeconds } = entryOf(problem.code);
  const { detail, details, errors, headers } = problem;
  return {
    statusCode: status,
    headers: {
      ...commonHeaders(call, requester),
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
      detail: detail ?? detailOf(problem) ?? advice,
      instance: `urn:request:${call.requestId}`,
      ...(details && { details }),
      ...(errors && { errors }),
    }),
  };
}

/** Headers of every response. Version and clock only for a valid key. */
export function commonHeaders(
  { requestId, baseUrl }: ProblemCall,
  requester: Requester | null,
): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    ...securityHeaders(baseUrl),
    ...(requester?.world && { 'PG-Version': requester.version }),
    ...(requester?.world?.mode === 'test' && {
      'PG-Clock': toTimestamp(worldNow(requester.world, Date.now())),
    }),
  };
}
