import * as v from 'valibot';
import { retryAfterMs } from '../../domain/retry-after.ts';
import { clientSpan, inSpan, traceHeaders } from '../../telemetry/spans.ts';
import type { ProviderResult, UnknownReason } from '../provider.ts';

/** The version of Stripe's API that this adapter was made for, and that the tests' validator knows. */
const STRIPE_VERSION = '2026-08-26.dahlia';
export const STRIPE_ORIGIN = 'https://api.stripe.com';
/** How much of a response is read: a page of a list is a hundred objects, each with metadata of its own. */
const READ_MAX_BYTES = 2 * 1_024 * 1_024;
/** Stripe may have closed a kept-alive connection, so a first try that fails is repeated. */
const TRIES_MAX = 2;
/** Codes may reach a log, a page or a merchant. Messages may not: they repeat what was sent. */
const CODE = /^[a-z0-9_.-]{1,64}$/;

/** One request. Where it has a `form`, it is a POST. */
export interface StripeRequest {
  /** With its query, below `/v1`. */
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  /**
   * Stripe keeps the response to a key for at least 24 hours, even a 500
   * (https://docs.stripe.com/api/idempotent_requests).
   */
  readonly idempotencyKey?: string;
  /** By when the whole request must end. */
  readonly deadline: AbortSignal;
}

export interface StripeAccess {
  readonly secretKey: string;
  /** Origin, without `/v1`. */
  readonly apiUrl: string;
}

const errorBody = v.object({
  error: v.object({
    type: v.string(),
    code: v.optional(v.string()),
    decline_code: v.optional(v.string()),
  }),
});

/**
 * Sends a request to Stripe. Never throws, and its result holds no secret.
 * @returns `done` with what the schema takes out of a 2xx; a response that does not clearly say that nothing was done,
 *   and why, is `unknown` (https://docs.stripe.com/error-low-level)
 */
export async function requestStripe<Schema extends v.GenericSchema>(
  { secretKey, apiUrl }: StripeAccess,
  schema: Schema,
  { path, form, idempotencyKey, deadline }: StripeRequest,
): Promise<ProviderResult<v.InferOutput<Schema>>> {
  const method = form === undefined ? 'GET' : 'POST';
  const init: RequestInit = {
    method,
    redirect: 'manual',
    signal: deadline,
    headers: {
      authorization: `Bearer ${secretKey}`,
      'stripe-version': STRIPE_VERSION,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
  };
  for (let tried = 1; ; tried += 1) {
    try {
      return await inSpan(clientSpan(method, apiUrl), async (span) => {
        const headers = { ...init.headers, ...traceHeaders() };
        const response = await fetch(`${apiUrl}/v1/${path}`, { ...init, headers });
        span.setAttribute('http.response.status_code', response.status);
        return toResult(schema, response, await readBody(response));
      });
    } catch {
      if (deadline.aborted) {
        return unknown('time-out');
      }
      if (tried === TRIES_MAX) {
        return unknown('connection');
      }
    }
  }
}

/** The result of a response, by its status and the type of its error (https://docs.stripe.com/api/errors). */
function toResult<Schema extends v.GenericSchema>(
  schema: Schema,
  { status, headers }: Response,
  body: string,
): ProviderResult<v.InferOutput<Schema>> {
  if (status >= 200 && status < 300) {
    const read = readJson(schema, body);
    return read.success ? { kind: 'done', reported: read.output } : unknown('server');
  }
  const waitMs = retryAfterMs(status, headers.get('retry-after'), Date.now());
  if (status === 401 || status === 403) {
    return unknown('credentials');
  }
  if (status === 409 || status === 429) {
    return unknown('busy', waitMs);
  }
  const read = readJson(errorBody, body);
  const { type = '', code, decline_code } = read.success ? read.output.error : {};
  if (type === 'idempotency_error') {
    return unknown('key-reused');
  }
  const isRefused = status < 500 && (type === 'card_error' || type === 'invalid_request_error');
  return isRefused
    ? { kind: 'refused', code: codeOf(decline_code ?? code, type) }
    : unknown('server', waitMs);
}

/** Stripe's code, where it has the form of one. */
export function codeOf(code: string | null | undefined, otherwise: string): string {
  return CODE.test(code ?? '') ? String(code) : otherwise;
}

export function unknown(why: UnknownReason, waitMs = 0): ProviderResult<never> {
  return { kind: 'unknown', why, ...(waitMs > 0 && { retryAfterMs: waitMs }) };
}

/** The text of a body; empty where it is too large. */
async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of body ?? []) {
    read += chunk.length;
    if (read > READ_MAX_BYTES) {
      // Leaving the loop closes the connection.
      return '';
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses a JSON text by a schema, if it fits. */
export function readJson<Output>(schema: v.GenericSchema<unknown, Output>, text: string) {
  return v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
}
