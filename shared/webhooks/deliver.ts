import { SpanStatusCode } from '@opentelemetry/api';
import {
  type Delivery,
  type DeliveryTarget,
  isSuccess,
  nextAttemptAt,
  SIGNATURE_VERDICTS,
} from '../domain/delivery.ts';
import { disabledBy, secretsOf } from '../domain/endpoint.ts';
import { derivedId } from '../domain/id.ts';
import type { PublishedEvent } from '../domain/published-event.ts';
import { retryAfterMs } from '../domain/retry-after.ts';
import { clientSpan, currentTrace, inSpan, traceHeaders } from '../telemetry/spans.ts';
import type { Poster } from './poster.ts';
import { signedHeaders, VERDICT_HEADER } from './sign.ts';

/** One delivery to make. */
export interface ToDeliver {
  readonly poster: Poster;
  readonly target: DeliveryTarget;
  readonly event: PublishedEvent;
  /** From 1. */
  readonly attempt: number;
  /** Outside the schedule of attempts: no attempt follows, whatever the response. */
  readonly isRedelivery: boolean;
  /** On the merchant's clock. */
  readonly nowMs: number;
  /** In real time, where this delivery has less time than others. */
  readonly timeoutMs?: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

/** Posts an event and returns the attempt for the log. All but a 2xx response in time is a failure. Never throws. */
export function deliver(delivery: ToDeliver): Promise<Delivery> {
  const { target, event, attempt } = delivery;
  const isOfOther = event.trace !== undefined && event.trace.traceId !== currentTrace()?.traceId;
  const posting = clientSpan('POST', target.url);
  const span = {
    ...posting,
    attributes: {
      ...posting.attributes,
      'http.request.resend_count': attempt - 1,
      'messaging.message.id': event.id,
      'messaging.destination.name': target.id,
    },
    // What is sent again by hand belongs to the request that asks for it, and leads back to its commit.
    ...(isOfOther && event.trace && { links: [{ context: event.trace }] }),
  };
  return inSpan(span, async (own) => {
    const attempted = await postEvent(delivery);
    if (attempted.responseStatus !== null) {
      own.setAttribute('http.response.status_code', attempted.responseStatus);
    }
    if (attempted.status !== 'delivered') {
      own.setStatus({ code: SpanStatusCode.ERROR });
    }
    return attempted;
  });
}

async function postEvent(delivery: ToDeliver): Promise<Delivery> {
  const { poster, target, event, attempt, isRedelivery, nowMs, timeoutMs, signal } = delivery;
  const realNowMs = Date.now();
  const secrets = secretsOf(target.endpoint, realNowMs);
  const signed = signedHeaders(secrets, event.id, event.body, realNowMs, attempt);
  const requestHeaders = { ...signed, ...traceHeaders() };
  const { url, reach } = target;
  const { status, headers, bodyStart, failure, durationMs } = await poster.post({
    url,
    reach,
    headers: requestHeaders,
    body: event.body,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal !== undefined && { signal }),
  });
  const isDelivered = failure === null && status !== null && isSuccess(status);
  const isOver = disabledBy(target.endpoint, { responseStatus: status, attemptedAtMs: nowMs }) !== null;
  const isAlone = isRedelivery || isOver;
  const reportedVerdict = reach === 'own' ? headers[VERDICT_HEADER] : undefined;
  const nextAttemptAtMs =
    isDelivered || isAlone
      ? null
      : nextAttemptAt(attempt, nowMs, retryAfterMs(status, headers['retry-after'], Date.now()));
  return {
    // A repetition after a crash has the same id, so that the log has it once.
    id: derivedId('dlv', nowMs, `${event.id} ${target.id} ${attempt}`, event.sequence),
    endpointId: target.id,
    eventId: event.id,
    resourceId: event.resourceId,
    sequence: event.sequence,
    firstSequence: event.firstSequence,
    attempt,
    status: isDelivered ? 'delivered' : isAlone || nextAttemptAtMs !== null ? 'failed' : 'exhausted',
    responseStatus: status,
    ...(!(isDelivered && reach === 'own') && bodyStart !== '' && { responseStart: bodyStart }),
    ...(failure !== null && { failure }),
    durationMs,
    signatureVerdict: SIGNATURE_VERDICTS.find((verdict) => verdict === reportedVerdict) ?? 'unknown',
    ...(target.endpoint.seesPages === false && { hidesPages: true }),
    requestHeaders,
    attemptedAtMs: nowMs,
    nextAttemptAtMs,
  };
}
