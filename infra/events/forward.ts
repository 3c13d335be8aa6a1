import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { isSuccess } from '../../shared/domain/delivery.ts';
import { headersBy, type Signer } from '../../shared/webhooks/signature-schemes.ts';
import { cleanText } from '../terminal/clean-text.ts';
import type { Interrupt } from '../terminal/interrupt.ts';
import { bangkokTime } from '../terminal/lines.ts';
import type { Event } from './follow-events.ts';

/** The timeout of a delivery attempt (contract §10). */
const RESPONSE_WITHIN_MS = 15 * SECOND_MS;
/** Pauses before the second and the third attempt, long enough for a server to restart. */
const PAUSES_MS = [SECOND_MS, 3 * SECOND_MS];

/** The merchant's program: its address, and what signs. */
export interface Receiver extends Signer {
  readonly url: string;
}

/** One attempt to forward an event. */
export interface Attempt {
  readonly time: string;
  readonly type: string;
  readonly id: string;
  readonly sequence: number;
  /** From 1. */
  readonly attempt: number;
  /** The status of the receiver's response; null if there was none. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** Why there was no response. */
  readonly error: string | null;
  /** The pause before the next attempt; null if there is none. */
  readonly again_in_ms: number | null;
}

/** One request to a receiver, as it is sent. */
export interface ForwardRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An event in the form of a delivery (contract §10). @param attempt from 1 */
export function requestOf(
  event: Pick<Event, 'id' | 'type'>,
  attempt: number,
  signer: Signer,
): ForwardRequest {
  const { id, type } = event;
  // The API's response has its fields in the same order as deliveries.
  const body = JSON.stringify(event);
  return { headers: headersBy(signer, { id, type, body, atMs: Date.now(), attempt }), body };
}

/** What `forward` does unless it is told otherwise. */
export interface Forwarding {
  /** Pauses before the second and the next attempts. */
  readonly pausesMs?: readonly number[];
  readonly requestAt?: (attempt: number) => ForwardRequest;
}

/**
 * Forwards an event in the form of a delivery (contract §10), and retries if the response is not 2xx.
 * @returns each attempt; if interrupted, without a final one, whose `again_in_ms` is null
 */
export async function* forward(
  event: Pick<Event, 'id' | 'type' | 'sequence'>,
  receiver: Receiver,
  { end, cut }: Interrupt,
  { pausesMs = PAUSES_MS, requestAt = (attempt) => requestOf(event, attempt, receiver) }: Forwarding = {},
): AsyncGenerator<Attempt> {
  const { type, id, sequence } = event;
  for (const [index, pauseMs] of [...pausesMs, null].entries()) {
    const time = new Date().toISOString();
    const beganAt = performance.now();
    const attempt = index + 1;
    const response = await post(requestAt(attempt), receiver.url, cut);
    if (cut.aborted) {
      return;
    }
    const duration_ms = Math.round(performance.now() - beganAt);
    const again_in_ms = isDelivered(response) ? null : pauseMs;
    yield { time, type, id, sequence, attempt, ...response, duration_ms, again_in_ms };
    if (again_in_ms === null) {
      return;
    }
    await sleep(again_in_ms, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) {
      return;
    }
  }
}

export function isDelivered({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && isSuccess(status);
}

/** What receivers respond with to a signature that they cannot verify. */
const SIGNATURE_REFUSALS = [400, 401];

/** Whether a receiver may have refused the signature. */
export function mayRefuseSignature({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && SIGNATURE_REFUSALS.includes(status);
}

/** `2026-11-21 11:02:09 payment.created evt_… → delivered: 200 in 12 ms`. @param options that choose what signs */
export function attemptLine(attempt: Attempt, options = ''): string {
  const { time, type, id, status, error, duration_ms, again_in_ms } = attempt;
  const outcome = [
    responseText(status, duration_ms),
    ...(error === null ? [] : [error]),
    ...(again_in_ms === null ? [] : [`again in ${again_in_ms / SECOND_MS} s`]),
    ...(again_in_ms === null && !isDelivered(attempt) ? [`given up: pg events resend ${id}${options}`] : []),
  ];
  return cleanText(`${bangkokTime(time)} ${type} ${id} → ${outcome.join(', ')}`);
}

/** `delivered: 204 in 20 ms`, `failed: 503 in 20 ms`, `no response in 20 ms`. */
export function responseText(status: number | null, durationMs: number): string {
  const response =
    status === null ? 'no response' : `${isSuccess(status) ? 'delivered' : 'failed'}: ${status}`;
  return `${response} in ${durationMs} ms`;
}

async function post(
  { headers, body }: ForwardRequest,
  url: string,
  cut: AbortSignal,
): Promise<Pick<Attempt, 'status' | 'error'>> {
  try {
    const { status, body: content } = await fetchAlone(url, { method: 'POST', headers, body }, cut);
    await content?.cancel();
    return { status, error: null };
  } catch (error) {
    return { status: null, error: noAnswerReason(error) };
  }
}

/**
 * A request to a program under development, on a connection of its own: a program may close an idle connection at any
 * moment, and one that is kept occupies a thread of some. Redirects are not followed.
 * @throws Error, of which `noAnswerReason` says why, if no response comes in time
 */
export function fetchAlone(url: string, request: RequestInit, cut?: AbortSignal): Promise<Response> {
  const signals = [AbortSignal.timeout(RESPONSE_WITHIN_MS), ...(cut === undefined ? [] : [cut])];
  return fetch(url, {
    ...request,
    headers: { ...request.headers, connection: 'close' } as Record<string, string>,
    redirect: 'manual',
    signal: AbortSignal.any(signals),
  });
}

/** Why `fetchAlone` had no response. Node puts the reason of a failed connection into the cause of the error. */
export function noAnswerReason(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, message, name } = cause as { code?: string; message?: string; name?: string };
  if (name === 'TimeoutError') {
    return `no answer within ${RESPONSE_WITHIN_MS / SECOND_MS} s`;
  }
  switch (code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'unknown host';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'connection lost';
    default:
      return code ?? message ?? 'unknown';
  }
}
