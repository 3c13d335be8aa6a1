import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../../shared/domain/clock.ts';
import { isSuccess } from '../../../shared/domain/delivery.ts';
import { signedHeaders } from '../../../shared/webhooks/sign.ts';
import type { Event } from './follow-events.ts';
import type { Interrupt } from './interrupt.ts';
import { cleanText } from './lines.ts';

/** The timeout of a delivery attempt (contract §10). */
const ANSWER_WITHIN_MS = 15 * SECOND_MS;
/** Pauses before the second and the third attempt, long enough for a server to restart. */
const PAUSES_MS = [SECOND_MS, 3 * SECOND_MS];

/** The merchant's program: its address, and the secret that signs. */
export interface Receiver {
  readonly url: string;
  readonly secret: string;
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

/**
 * Forwards an event in the form of a delivery (contract §10), and retries if the response is not 2xx.
 * @returns each attempt; if interrupted, without a final one, whose `again_in_ms` is null
 */
export async function* forward(
  event: Event,
  receiver: Receiver,
  { end, cut }: Interrupt,
): AsyncGenerator<Attempt> {
  const { type, id, sequence } = event;
  for (const [place, pauseMs] of [...PAUSES_MS, null].entries()) {
    const time = new Date().toISOString();
    const beganAt = performance.now();
    const attempt = place + 1;
    const answered = await post(event, attempt, receiver, cut);
    if (cut.aborted) {
      return;
    }
    const duration_ms = Math.round(performance.now() - beganAt);
    const again_in_ms = isDelivered(answered) ? null : pauseMs;
    yield { time, type, id, sequence, attempt, ...answered, duration_ms, again_in_ms };
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

/** `2026-11-21T04:02:09.000Z payment.created evt_… → 200 12 ms` */
export function attemptLine(attempt: Attempt): string {
  const { time, type, id, status, error, duration_ms, again_in_ms } = attempt;
  const outcome = [
    `${status ?? 'no response'} ${duration_ms} ms`,
    ...(error === null ? [] : [error]),
    ...(again_in_ms === null ? [] : [`again in ${again_in_ms / SECOND_MS} s`]),
    ...(again_in_ms === null && !isDelivered(attempt) ? [`given up: npm run pg -- events resend ${id}`] : []),
  ];
  return cleanText(`${time} ${type} ${id} → ${outcome.join(', ')}`);
}

async function post(
  event: Event,
  attempt: number,
  { url, secret }: Receiver,
  cut: AbortSignal,
): Promise<Pick<Attempt, 'status' | 'error'>> {
  // The API's response has its fields in the same order as deliveries.
  const body = JSON.stringify(event);
  const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: signedHeaders([secret], event.id, body, Date.now(), attempt),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, cut]),
    });
    await answer.body?.cancel();
    return { status: answer.status, error: null };
  } catch (error) {
    const late = `no response within ${ANSWER_WITHIN_MS / SECOND_MS} s`;
    return { status: null, error: timeout.aborted ? late : reasonOf(error) };
  }
}

/** Node puts the reason of a failed connection into the cause of the error. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as { code?: string; message?: string };
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
