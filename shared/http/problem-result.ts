import type { APIGatewayProxyResult } from 'aws-lambda';
import { securityHeaders } from '../contract/security-headers.ts';
import { toTimestamp } from '../domain/clock.ts';
import { worldNow } from '../domain/world.ts';
import { entryOf } from '../errors/catalogue.ts';
import type { Problem } from '../errors/problem.ts';
import type { Call } from './call.ts';

const PROBLEM_TYPE = 'application/problem+json';

/** Whom an answer is for: of what is no request at all, no more is known than that it came. */
type Answered = Pick<Call, 'requestId' | 'baseUrl' | 'caller'>;

/** A problem as it is answered (contract §2). */
export function problemResult(problem: Problem, call: Answered): APIGatewayProxyResult {
  const { status, title, advice, retryAfterSeconds } = entryOf(problem.code);
  const { detail, details, errors, headers } = problem;
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

/** What every answer has. */
export function commonHeaders({ requestId, baseUrl, caller }: Answered): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    ...securityHeaders(baseUrl),
    ...(caller && { 'PG-Version': caller.version }),
    ...(caller?.world.mode === 'test' && { 'PG-Clock': toTimestamp(worldNow(caller.world, Date.now())) }),
  };
}
