import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { ApiKey } from '../domain/api-key.ts';
import { newId } from '../domain/id.ts';
import { type World, worldNow } from '../domain/world.ts';
import type { PlainCode } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { StoredWorld } from '../store/worlds/world.ts';
import { baseUrlOf } from './base-url.ts';

/** A request as it came in. Does not change while the call runs. */
export interface Call {
  readonly event: APIGatewayProxyEvent;
  readonly context: Context;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** All lines of each header, by its name in lower case: API Gateway keeps the sender's spelling. */
  readonly headerLines: ReadonlyMap<string, readonly string[]>;
  /** The client's address as the gateway saw it: no header can change it. */
  readonly source: string;
  /** The base URL of this service, without a slash at the end. */
  readonly baseUrl: string;
}

/** An authenticated caller. */
export interface Caller {
  readonly key: ApiKey;
  readonly world: StoredWorld;
  /** The API version of this request. */
  readonly version: string;
  /** Resolves when the day of the key's use is recorded. Never rejects. */
  readonly noted: Promise<void>;
}

/** The caller as far as it is known: at first only the key. */
export type Requester = Caller | { readonly key: ApiKey; readonly world?: never; readonly noted?: never };

/** Reports the caller as soon as it is known, so that log line and headers have it even if a later step throws. */
export type NoteRequester = (requester: Requester) => void;

export function beginCall(event: APIGatewayProxyEvent, context: Context): Call {
  const startedAtMs = Date.now();
  const requestId = newId('req', startedAtMs);
  return {
    event,
    context,
    requestId,
    startedAtMs,
    headerLines: linesOf(event),
    source: event.requestContext.identity?.sourceIp ?? '',
    baseUrl: baseUrlOf(event),
  };
}

/** From `multiValueHeaders`, since `headers` holds only the last line. Names are compared without case. */
function linesOf({ multiValueHeaders }: APIGatewayProxyEvent): Call['headerLines'] {
  const lines = new Map<string, string[]>();
  for (const [spelled, values = []] of Object.entries(multiValueHeaders ?? {})) {
    const name = spelled.toLowerCase();
    lines.set(name, [...(lines.get(name) ?? []), ...values]);
  }
  return lines;
}

/** A header that may have several values, joined by commas, or undefined if it was not sent. */
export function headerOf({ headerLines }: Call, name: string): string | undefined {
  return headerLines.get(name)?.join(', ');
}

/**
 * A header that has one value. If it is sent twice, a proxy and this service could read different values, so it is
 * refused (contract §3).
 * @throws Problem with this code if it was sent more than once
 */
export function onlyHeaderOf({ headerLines }: Call, name: string, code: PlainCode): string | undefined {
  const [line, ...more] = headerLines.get(name) ?? [];
  if (more.length > 0) {
    throw new Problem(code, { detail: 'The header was sent more than once: send it once.' });
  }
  return line;
}

/** When the call began, on the merchant's clock, in epoch milliseconds. */
export function callNow(call: Call, world: World): number {
  return worldNow(world, call.startedAtMs);
}
