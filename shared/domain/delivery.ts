import { Problem } from '../errors/problem.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './clock.ts';
import type { Endpoint } from './endpoint.ts';
import type { JobOf } from './job.ts';
import type { PublishedEvent } from './published-event.ts';

/** Pauses before the second, third … attempt, on the merchant's clock (contract §10). */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

export const DELIVERY_STATUSES = ['delivered', 'failed', 'exhausted'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const SIGNATURE_VERDICTS = ['valid', 'invalid', 'unknown'] as const;
/** The receiver's check of the signature; `unknown` where the receiver did not report one. */
export type SignatureVerdict = (typeof SIGNATURE_VERDICTS)[number];

/** Why an attempt got no complete response: not set where it got one, whatever its status. */
export const DELIVERY_FAILURES = [
  'address_forbidden',
  'name_not_found',
  /** No connection, or none in time. */
  'unreachable',
  'tls_failed',
  'connection_lost',
  'timeout',
  'invalid_answer',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** The hosts that a URL may have: this service itself, which needs no check; public hosts; or loopback as well. */
export type Reach = 'own' | 'public' | 'loopback too';

/** An endpoint to deliver to, with its absolute URL. */
export interface DeliveryTarget {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly url: string;
  readonly reach: Reach;
}

/** One attempt to deliver an event to an endpoint. The request body is the event's body. */
export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly resourceId: string;
  /** The sequence number of the event, and that of the first event of its commit, which is its key in the event log. */
  readonly sequence: number;
  readonly firstSequence: number;
  readonly attempt: number;
  readonly status: DeliveryStatus;
  /** The HTTP status of the response, or null without a response. */
  readonly responseStatus: number | null;
  /** The start of the response's body, 1 KB at most; not stored where a sink accepted the event. */
  readonly responseStart?: string;
  readonly failure?: DeliveryFailure;
  /** How long the attempt took, in milliseconds; not known of attempts that were logged without it. */
  readonly durationMs?: number;
  readonly signatureVerdict: SignatureVerdict;
  /** Set where the addresses of payers' pages were left out of the event's body: see `Endpoint`. */
  readonly hidesPages?: true;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly attemptedAtMs: number;
  readonly nextAttemptAtMs: number | null;
  /** The request body of a ping, which is no event of the log. */
  readonly body?: string;
  /** When the recovery of this missed event was requested, on the merchant's clock. */
  readonly recoveredAtMs?: number;
}

type DeliverEvent = JobOf<'deliver-event'>;

/** Whether a status means that the receiver accepted: 2xx. Every other status is a failure, redirects included. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * When the next attempt follows, or null after the last one.
 * @param retryAfterMs how long the receiver asks to wait: heeded up to the pause that would follow (contract §14)
 */
export function nextAttemptAt(attempt: number, attemptedAtMs: number, retryAfterMs = 0): number | null {
  const pause = PAUSES_MS[attempt - 1];
  if (pause === undefined) {
    return null;
  }
  const longest = PAUSES_MS[attempt] ?? pause;
  return attemptedAtMs + Math.min(Math.max(pause, retryAfterMs), longest);
}

/** The job that makes the first attempt, if it is queued. @param dueAtMs when the event happened */
export function firstAttemptOf(
  { id: eventId, resourceId, sequence }: PublishedEvent,
  endpointId: string,
  dueAtMs: number,
): DeliverEvent {
  return { kind: 'deliver-event', eventId, endpointId, resourceId, sequence, attempt: 1, dueAtMs };
}

/** The job that sends an event again, starting with the first attempt. */
export function recoveryOf(event: PublishedEvent, endpointId: string, recoveredAtMs: number): DeliverEvent {
  return { ...firstAttemptOf(event, endpointId, recoveredAtMs), recoveredAtMs };
}

/** The job that makes the next attempt, or null where none follows. */
export function nextAttemptOf(delivery: Delivery): DeliverEvent | null {
  const { attempt, nextAttemptAtMs, recoveredAtMs } = delivery;
  if (nextAttemptAtMs === null) {
    return null;
  }
  const recovered = recoveredAtMs !== undefined && { recoveredAtMs };
  return { ...attemptOf(delivery, attempt + 1, nextAttemptAtMs), ...recovered };
}

/**
 * The job that sends a past delivery's event again, outside the schedule of attempts.
 * @throws Problem `delivery_not_found` for a ping, which is no event that could be sent again
 */
export function redeliveryOf(delivery: Delivery, dueAtMs: number): DeliverEvent {
  if (delivery.body !== undefined) {
    throw new Problem('delivery_not_found');
  }
  return { ...attemptOf(delivery, delivery.attempt, dueAtMs), isRedelivery: true };
}

function attemptOf(
  { eventId, endpointId, resourceId, sequence }: Delivery,
  attempt: number,
  dueAtMs: number,
): DeliverEvent {
  return { kind: 'deliver-event', eventId, endpointId, resourceId, sequence, attempt, dueAtMs };
}
