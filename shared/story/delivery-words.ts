import type { WebhookEndpointView } from '../contract/webhook-endpoint-view.ts';
import { HOUR_MS } from '../domain/clock.ts';
import type { DeliveryFailure } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/endpoint.ts';
import type { BodyOf, RowOf } from './operation-id.ts';
import { bangkokTime } from './times.ts';

/** An attempt to deliver, to an endpoint or a sink. */
type EndpointAttempt = BodyOf<'webhooks.SendTestEvent'>;

const FAILURES: Readonly<Record<DeliveryFailure, string>> = {
  address_forbidden: 'its host name resolves to an address that is not allowed',
  name_not_found: 'its host name is unknown',
  unreachable: 'its server does not respond',
  tls_failed: 'its certificate is not trusted',
  connection_lost: 'the connection was lost',
  timeout: 'the response did not arrive in time',
  invalid_answer: 'its response is not valid HTTP',
};
const DISABLED: Readonly<Record<DisabledReason, string>> = {
  requested: 'you disabled it',
  gone: 'its server responded with 410 (Gone)',
  failing: 'every delivery failed for 5 days',
};

/** Why an attempt failed, in words; null if it did not. */
export function failureOf({
  status,
  failure,
  answered_status: received,
}: Pick<EndpointAttempt, 'status' | 'failure' | 'answered_status'>): string | null {
  if (status === 'delivered') {
    return null;
  }
  const isRedirect = Math.floor((received ?? 0) / 100) === 3;
  const reason =
    failure === null
      ? `the response was ${received}, and ${isRedirect ? 'redirects are not followed' : 'only 2xx accepts an event'}`
      : FAILURES[failure];
  return `${status === 'exhausted' ? 'Given up' : 'Failed'}: ${reason}.`;
}

export function responseOf({ answered_status: received }: Pick<EndpointAttempt, 'answered_status'>): string {
  return received === null ? 'no response' : `response ${received}`;
}

export function durationOf({ duration_ms: duration }: Pick<EndpointAttempt, 'duration_ms'>): string | null {
  return duration === null ? null : `${duration} ms`;
}

/** The type of the delivered event. */
export function eventTypeOf({ body }: Pick<EndpointAttempt, 'body'>): string {
  return /"type":"([a-z_.]+)"/.exec(body)?.[1] ?? 'event';
}

/** Why an endpoint is disabled. */
export function disabledText({
  disabled_reason: reason,
}: Pick<WebhookEndpointView, 'disabled_reason'>): string {
  return `Disabled: ${reason === null ? 'unknown' : DISABLED[reason]}`;
}

/** An instant from which no event is missed: an event is somewhat older than the attempt to deliver it. */
export function lastWellAt({
  last_success_at: last,
  created_at: created,
}: Pick<WebhookEndpointView, 'last_success_at' | 'created_at'>): string {
  const before = last === null ? created : new Date(Date.parse(last) - HOUR_MS).toISOString();
  return before > created ? before : created;
}

/** In real time, whatever the merchant's clock shows. */
export function overlapText(endsAt: string): string {
  return `The previous secret also signs until ${bangkokTime(new Date(endsAt), new Date())} in Bangkok, in real time.`;
}

export function recoveredText({
  events_queued: count,
}: Pick<BodyOf<'webhooks.RecoverEvents'>, 'events_queued'>): string {
  return `${count} ${count === 1 ? 'event is' : 'events are'} being sent again.`;
}

/** How a sink responds. */
export function sinkBehavior({
  fail_count: failing,
  respond_status: responses,
}: Pick<RowOf<'testkit.ListWebhookSinks'>, 'fail_count' | 'respond_status'>): string {
  return failing > 0 ? `fails ${failing} more, with ${responses}` : `responds with ${responses}`;
}

/** How many of these attempts have succeeded: `48 of 50 attempts succeeded (96 %)`. */
export function rateText(deliveries: readonly Pick<EndpointAttempt, 'status'>[]): string {
  const succeeded = deliveries.filter(({ status }) => status === 'delivered').length;
  const attempts = deliveries.length === 1 ? 'attempt' : 'attempts';
  return `${succeeded} of ${deliveries.length} ${attempts} succeeded (${Math.floor((succeeded / deliveries.length) * 100)} %)`;
}
