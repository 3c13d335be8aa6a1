import type { APIGatewayProxyResult } from 'aws-lambda';
import { securityHeaders } from '../contract/security-headers.ts';
import { toTimestamp } from '../domain/clock.ts';
import { worldNow } from '../domain/world.ts';
import { entryOf } from '../errors/catalogue.ts';
import type { Problem } from '../errors/problem.ts';
import type { Asker, Call } from './call.ts';

const PROBLEM_TYPE = 'application/problem+json';

/** What is answered: of what is no request at all, no more is known than that it came. */
type Answered = Pick<Call, 'requestId' | 'baseUrl'>;

/**
 * A problem as it is answered (contract §2).
 * @param asker where anybody is known to ask
 */
export function problemResult(
  problem: Problem,
  call: Answered,
  asker: Asker | null = null,
): APIGatewayProxyResult {
  const { status, title, advice, retryAfterSeconds } = entryOf(problem.code);
  const { detail, details, errors, headers } = problem;
  return {
    statusCode: status,
    headers: {
      ...commonHeaders(call, asker),
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

/** What every answer has: of a key that may not be used, nothing is said. */
export function commonHeaders({ requestId, baseUrl }: Answered, asker: Asker | null): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    ...securityHeaders(baseUrl),
    ...(asker?.world && { 'PG-Version': asker.version }),
    ...(asker?.world?.mode === 'test' && { 'PG-Clock': toTimestamp(worldNow(asker.world, Date.now())) }),
  };
}
