import {
  type Delivery,
  nextAttemptAt,
  SIGNATURE_VERDICTS,
  type SignatureVerdict,
} from '../domain/delivery.ts';
import { newId } from '../domain/id.ts';
import { isSuccess, type Sink, sinkUrl } from '../domain/testkit/sink.ts';
import { signedHeaders } from './sign.ts';

/** A receiver has this long to answer (contract §10). */
const TIMEOUT_MS = 15_000;
/** A sink says here what it found when it checked the signature. */
export const VERDICT_HEADER = 'sink-signature';

/** What is sent where, for the how-manieth time. */
export interface Attempt {
  readonly sink: Sink;
  /** Where this service answers, and so its sinks. */
  readonly baseUrl: string;
  readonly event: Pick<Delivery, 'resourceId' | 'sequence' | 'body'> & { readonly id: string };
  readonly attempt: number;
  /** Outside the schedule: whatever is answered, no attempt follows. */
  readonly isRedelivery: boolean;
  /** On the merchant's clock. */
  readonly nowMs: number;
}

/** Really posts an event to a sink, and says how it went. Everything but a 2xx answer in time is a failure. */
export async function deliver(given: Attempt): Promise<Delivery> {
  const { sink, baseUrl, event, attempt, isRedelivery, nowMs } = given;
  const requestHeaders = signedHeaders(sink.secret, event.id, event.body, Date.now());
  const { status, verdict } = await post(sinkUrl(sink, baseUrl), requestHeaders, event.body);
  const isDelivered = status !== null && isSuccess(status);
  const nextAttemptAtMs = isDelivered || isRedelivery ? null : nextAttemptAt(attempt, nowMs);
  return {
    id: newId('dlv', nowMs, event.sequence),
    sinkId: sink.id,
    eventId: event.id,
    resourceId: event.resourceId,
    sequence: event.sequence,
    body: event.body,
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
    const said = answer.headers.get(VERDICT_HEADER);
    return {
      status: answer.status,
      verdict: SIGNATURE_VERDICTS.find((verdict) => verdict === said) ?? 'unknown',
    };
  } catch {
    // Refused, reset or too late: all the same to the schedule of attempts.
    return { status: null, verdict: 'unknown' };
  }
}
