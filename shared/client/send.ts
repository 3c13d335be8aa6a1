import { rememberAnswer } from './answer.ts';
import { ConnectionError, type ProblemBody, ProblemError } from './call-error.ts';
import type { ClientRow } from './client-rows.ts';
import { elapsedMs, nowMs, startTimer, stopTimer } from './real-timers.ts';

/** The request of one logical call, which is the same in every attempt. */
export interface ClientRequest {
  readonly operation: string;
  readonly row: ClientRow;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly idempotencyKey: string | null;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface SendOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The maximum number of retries of a failed call. */
  readonly maxRetries: number;
}

type Failure = ProblemError | ConnectionError;

const SECOND_MS = 1_000;
/** The time for the network, beside the time limit of the function. */
const TRAVEL_MS = 5_000;
const FIRST_PAUSE_MS = 250;
const PAUSE_MAX_MS = 8_000;
/** The codes of errors of zlib, in Node. */
const UNDECODABLE = /^(Z_DATA_ERROR|ERR__ERROR_FORMAT|ERR_BROTLI|ZSTD_error_(prefix|corruption))/;
/** If the service asks for a longer wait, the error is thrown, so that the caller can decide. */
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * Sends a request until it gets a final response: temporary failures are retried with the same request.
 * @throws ProblemError or ConnectionError, of the last attempt
 * @throws the signal's reason
 */
export async function send(request: ClientRequest, { fetch, maxRetries }: SendOptions): Promise<object> {
  const { signal } = request;
  let failures = 0;
  let busyUntilMs: number | undefined;
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt(request, fetch, attempts);
    if ('data' in result) {
      return result.data;
    }
    const { failure, retryAfterMs } = result;
    const { status } = failure;
    const isBusy = failure instanceof ProblemError && failure.code === 'idempotency_in_progress';
    if (isBusy) {
      // The first request may have crashed: its key is free again once the time limit of its function is over.
      busyUntilMs ??= elapsedMs() + request.row.runTimeMs + TRAVEL_MS;
    } else {
      failures += 1;
    }
    const isSpent = isBusy ? elapsedMs() > (busyUntilMs ?? 0) : failures > maxRetries;
    // Any other refusal stays the same.
    const mayPass = isBusy || status === null || status === 429 || status >= 500;
    if (maxRetries === 0 || isSpent || !mayPass || retryAfterMs > RETRY_AFTER_MAX_MS) {
      throw failure;
    }
    await pause(Math.max(retryAfterMs, backoffMs(failures)), signal);
  }
}

/** Exponential backoff with jitter, so that many clients do not return at the same time. */
function backoffMs(failures: number): number {
  const fullMs = Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
  return fullMs * (0.5 + Math.random() / 2);
}

type Reply = { readonly data: object } | { readonly failure: Failure; readonly retryAfterMs: number };

/** @throws the signal's reason */
async function attempt(
  request: ClientRequest,
  fetch: SendOptions['fetch'],
  attempts: number,
): Promise<Reply> {
  const { operation, row, url, headers, body, idempotencyKey, signal } = request;
  signal?.throwIfAborted();
  const facts = { operation, idempotencyKey, attempts };
  const address = new URL(url).origin;
  const timeout = AbortSignal.timeout(request.timeoutMs ?? row.runTimeMs + TRAVEL_MS);
  let response: Response | undefined;
  let text: string;
  try {
    response = await fetch(url, {
      method: row.method,
      headers,
      ...(body !== undefined && { body }),
      // The API never redirects, and the key must not be sent to another address.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const status = response !== undefined && isUndecodable(cause as Error) ? response.status : null;
    const reason = status !== null ? 'unreadable' : timeout.aborted ? 'timeout' : 'unreachable';
    return { failure: new ConnectionError(reason, status, { ...facts, address }, cause), retryAfterMs: 0 };
  }
  const received = parseObject(text);
  const requestId = response.headers.get('x-request-id');
  if (received !== null && response.ok) {
    const { status, headers: responseHeaders } = response;
    const data = rememberAnswer(received, {
      status,
      requestId,
      replayed: responseHeaders.get('idempotent-replayed') === 'true',
      clock: responseHeaders.get('pg-clock'),
      version: responseHeaders.get('pg-version'),
      idempotencyKey,
      attempts,
      headers: responseHeaders,
    });
    return { data };
  }
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  const failure =
    received !== null && isProblemBody(received)
      ? new ProblemError(received, requestId, facts)
      : new ConnectionError('not_the_service', response.status, { ...facts, address });
  return { failure, retryAfterMs };
}

/** Whether a response was in another encoding than it names. One that ends too early is that of a broken connection. */
function isUndecodable({ cause }: { cause?: unknown }): boolean {
  const { code } = (cause ?? {}) as { code?: unknown };
  return UNDECODABLE.test(String(code));
}

function parseObject(text: string): object | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' ? json : null;
  } catch {
    return null;
  }
}

function isProblemBody(body: object): body is ProblemBody {
  return (
    'code' in body &&
    typeof body.code === 'string' &&
    'status' in body &&
    typeof body.status === 'number' &&
    'title' in body &&
    typeof body.title === 'string'
  );
}

/** Seconds or a date (RFC 9110). @returns 0 if the value is missing or malformed */
function readRetryAfter(value: string | null): number {
  if (value === null) {
    return 0;
  }
  const waitMs = /^\d+$/.test(value.trim()) ? Number(value) * SECOND_MS : Date.parse(value) - nowMs();
  return Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs);
}

/** @throws the signal's reason, at once */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      stopTimer(timer);
      reject(signal?.reason);
    };
    const timer = startTimer(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
