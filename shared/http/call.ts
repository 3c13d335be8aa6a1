import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { ApiKey } from '../domain/api-key.ts';
import { newId } from '../domain/id.ts';
import { type World, worldNow } from '../domain/world.ts';
import type { PlainCode } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { baseUrlOf } from './base-url.ts';

/** What came in: known as soon as a call begins, and the same until it ends. */
export interface Call {
  readonly event: APIGatewayProxyEvent;
  readonly context: Context;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Every line that was sent, by the name in lower case: API Gateway keeps the sender's spelling, other targets do not. */
  readonly headerLines: ReadonlyMap<string, readonly string[]>;
  /** The address that the gateway saw: nothing that a client sends can change it. */
  readonly source: string;
  /** Where this service answers, without a slash at the end. */
  readonly baseUrl: string;
}

/** Whose key may be used. */
export interface Caller {
  readonly key: ApiKey;
  readonly world: World;
  /** The API version of this request. */
  readonly version: string;
  /** The note of the key's use: it is under way beside the request, and cannot fail. */
  readonly noted: Promise<void>;
}

/** Who asks, as far as is known: a key alone while it is not known to be one that may be used. */
export type Asker = Caller | { readonly key: ApiKey; readonly world?: never; readonly noted?: never };

/** How a step says who asks, as soon as it knows: whatever is thrown afterwards, log line and headers have it. */
export type Tell = (asker: Asker) => void;

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

/** The instant on the merchant's clock at which the call began. */
export function callNow(call: Call, world: World): number {
  return worldNow(world, call.startedAtMs);
}
