import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { ApiKey } from '../domain/api-key.ts';
import { newId } from '../domain/id.ts';
import { type World, worldNow } from '../domain/world.ts';

/** What is known about one request, filled in as it passes the checks. */
export interface Call {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Header names in lower case: API Gateway keeps the sender's spelling, LocalStack-compatible targets do not. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Where this service answers, without a slash at the end. */
  readonly baseUrl: string;
  caller?: Caller;
  input?: Input;
}

export interface Caller {
  readonly key: ApiKey;
  readonly world: World;
  /** The API version of this request. */
  readonly version: string;
}

/** What was sent, checked by the row's schemas. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

/** Lambda's context, carrying the call from one middleware to the next. */
export type CallContext = Context & { call?: Call };

export function beginCall(event: APIGatewayProxyEvent): Call {
  const startedAtMs = Date.now();
  const headers = Object.fromEntries(
    Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { requestId: newId('req', startedAtMs), startedAtMs, headers, baseUrl: baseUrlOf(event, headers) };
}

/** The call of a request that has begun. */
export function callOf(context: CallContext): Call {
  if (context.call === undefined) {
    throw new Error('the responder begins every call: it must be the first middleware');
  }
  return context.call;
}

/** The instant on the merchant's clock at which the call began. */
export function callNow(call: Call, world: World): number {
  return worldNow(world, call.startedAtMs);
}

/**
 * API Gateway answers under a stage: `requestContext.path` has it, `path` has not. PUBLIC_BASE_URL overrides it where a
 * proxy stands in front.
 */
function baseUrlOf(event: APIGatewayProxyEvent, headers: Call['headers']): string {
  const fixed = process.env.PUBLIC_BASE_URL;
  if (fixed !== undefined && fixed !== '') {
    return fixed.replace(/\/$/, '');
  }
  const { domainName, apiId, stage, path: fullPath } = event.requestContext;
  const isInPath = domainName === undefined && apiId !== undefined;
  if (isInPath) {
    // A LocalStack-compatible target has one port for all APIs, and names them in the path. It tells nobody.
    return `http://${headers.host}/restapis/${apiId}/${stage}/_user_request_`;
  }
  const prefix = fullPath?.endsWith(event.path) ? fullPath.slice(0, -event.path.length) : '';
  return `${headers['x-forwarded-proto'] ?? 'https'}://${domainName ?? headers.host ?? 'localhost'}${prefix}`;
}
