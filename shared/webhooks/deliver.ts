import {
  type Delivery,
  isSuccess,
  nextAttemptAt,
  SIGNATURE_VERDICTS,
  type SignatureVerdict,
  type Target,
} from '../domain/delivery.ts';
import { derivedId } from '../domain/id.ts';
import type { PublishedEvent } from '../domain/published-event.ts';
import { signedHeaders } from './sign.ts';

/** How long a receiver may take to answer (contract §10). */
const TIMEOUT_MS = 15_000;
/** The header in which a sink reports its check of the signature. */
export const VERDICT_HEADER = 'sink-signature';

/** One delivery to make. */
interface Post {
  readonly target: Target;
  readonly event: PublishedEvent;
  /** From 1. */
  readonly attempt: number;
  /** Outside the schedule of attempts: no attempt follows, whatever the answer. */
  readonly isRedelivery: boolean;
  /** On the merchant's clock. */
  readonly nowMs: number;
}

/** Posts an event and returns the attempt for the log. Everything but a 2xx answer in time is a failure; never throws. */
export async function deliver({ target, event, attempt, isRedelivery, nowMs }: Post): Promise<Delivery> {
  const requestHeaders = signedHeaders(target.secret, event.id, event.body, Date.now());
  const { status, verdict } = await post(target.url, requestHeaders, event.body);
  const isDelivered = status !== null && isSuccess(status);
  const nextAttemptAtMs = isDelivered || isRedelivery ? null : nextAttemptAt(attempt, nowMs);
  return {
    // The same for a repetition after a crash, so that the log tells of it once.
    id: derivedId('dlv', nowMs, `${event.id} ${target.id} ${attempt}`, event.sequence),
    endpointId: target.id,
    eventId: event.id,
    resourceId: event.resourceId,
    sequence: event.sequence,
    place: event.place,
    attempt,
    status: isDelivered ? 'delivered' : isRedelivery || nextAttemptAtMs !== null ? 'failed' : 'exhausted',
    answeredStatus: status,
    signatureVerdict: verdict,
    requestHeaders,
    attemptedAtMs: nowMs,
    nextAttemptAtMs,
  };
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number | null; verdict: SignatureVerdict }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    const reported = answer.headers.get(VERDICT_HEADER);
    return {
      status: answer.status,
      verdict: SIGNATURE_VERDICTS.find((verdict) => verdict === reported) ?? 'unknown',
    };
  } catch {
    // Refused, reset or too late: the schedule of attempts treats them alike.
    return { status: null, verdict: 'unknown' };
  }
}
