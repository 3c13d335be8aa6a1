import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { ApiKey } from '../domain/api-key.ts';
import { newId } from '../domain/id.ts';
import { type World, worldNow } from '../domain/world.ts';
import type { PlainCode } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { baseUrlOf } from './base-url.ts';

/** What is known about one request, filled in as it passes the checks. */
export interface Call {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Every line that was sent, by the name in lower case: API Gateway keeps the sender's spelling, other targets do not. */
  readonly headerLines: ReadonlyMap<string, readonly string[]>;
  /** The address that the gateway saw: nothing that a client sends can change it. */
  readonly source: string;
  /** Where this service answers, without a slash at the end. */
  readonly baseUrl: string;
  /** The key that was sent, as soon as it is known: also where it is refused, for the log alone. */
  key?: ApiKey;
  caller?: Caller;
  /** What is noted of the key's use: it is under way beside the request, and cannot fail. */
  noting?: Promise<void>;
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
  const requestId = newId('req', startedAtMs);
  return {
    requestId,
    startedAtMs,
    headerLines: linesOf(event),
    source: event.requestContext.identity?.sourceIp ?? '',
    baseUrl: baseUrlOf(event),
  };
}

/** `headers` would hold the last line alone. Names that differ in their spelling alone are one name. */
function linesOf({ multiValueHeaders }: APIGatewayProxyEvent): Call['headerLines'] {
  const lines = new Map<string, string[]>();
  for (const [spelled, values = []] of Object.entries(multiValueHeaders ?? {})) {
    const name = spelled.toLowerCase();
    lines.set(name, [...(lines.get(name) ?? []), ...values]);
  }
  return lines;
}

/** A header that may say several things, or undefined where it was not sent. */
export function headerOf({ headerLines }: Call, name: string): string | undefined {
  return headerLines.get(name)?.join(', ');
}

/**
 * A header that says one thing: sent twice, whoever reads the one line and whoever reads the other would understand
 * different requests (contract §3).
 * @throws Problem of this code where it was sent more than once
 */
export function onlyHeaderOf({ headerLines }: Call, name: string, code: PlainCode): string | undefined {
  const [line, ...more] = headerLines.get(name) ?? [];
  if (more.length > 0) {
    throw new Problem(code, { detail: 'The header was sent more than once: send it once.' });
  }
  return line;
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
