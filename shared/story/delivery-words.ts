import type { WebhookEndpointView } from '../contract/webhook-endpoint-view.ts';
import { HOUR_MS } from '../domain/clock.ts';
import { deliveryTexts } from './delivery-texts.ts';
import type { BodyOf, RowOf } from './operation-id.ts';
import { bangkokTime } from './times.ts';

/** An attempt to deliver, to an endpoint or a sink. */
type EndpointAttempt = BodyOf<'webhooks.SendTestEvent'>;

/** Why an attempt failed, in words; null if it did not. */
export function failureOf({
  status,
  failure,
  answered_status: received,
}: Pick<EndpointAttempt, 'status' | 'failure' | 'answered_status'>): string | null {
  if (status === 'delivered') {
    return null;
  }
  const { failures, redirected, refused, failed, givenUp } = deliveryTexts;
  const isRedirect = Math.floor((received ?? 0) / 100) === 3;
  const reason = failure === null ? (isRedirect ? redirected : refused)(received) : failures[failure];
  return (status === 'exhausted' ? givenUp : failed)(reason);
}

/** What a receiver said to an attempt, in a sentence: `Your server answered 500 after 230 ms: only 2xx accepts an event.` */
export function outcomeText(
  attempt: Pick<EndpointAttempt, 'status' | 'failure' | 'answered_status' | 'duration_ms'>,
  receiver: keyof typeof deliveryTexts.receivers,
): string {
  const { status, failure, answered_status: received } = attempt;
  const { receivers, after, failures, noResponse, unanswered, noneFollows } = deliveryTexts;
  const duration = durationOf(attempt);
  const took = duration === null ? '' : after(duration);
  const name = receivers[receiver];
  const sentence =
    received === null || failure !== null
      ? unanswered(name, took, failure === null ? noResponse : failures[failure])
      : answeredText(status, received)(name, received, took);
  return status === 'exhausted' ? `${sentence} ${noneFollows}` : sentence;
}

function answeredText(status: EndpointAttempt['status'], received: number) {
  const { accepted, notAccepted, notFollowed } = deliveryTexts;
  if (status === 'delivered') {
    return accepted;
  }
  return Math.floor(received / 100) === 3 ? notFollowed : notAccepted;
}

export function responseOf({ answered_status: received }: Pick<EndpointAttempt, 'answered_status'>): string {
  return received === null ? deliveryTexts.noResponse : deliveryTexts.response(received);
}

export function durationOf({ duration_ms: duration }: Pick<EndpointAttempt, 'duration_ms'>): string | null {
  return duration === null ? null : `${duration} ms`;
}

/** The type of the delivered event. */
export function eventTypeOf({ body }: Pick<EndpointAttempt, 'body'>): string {
  return /"type":"([a-z_.]+)"/.exec(body)?.[1] ?? deliveryTexts.event;
}

/** Why an endpoint is disabled. */
export function disabledText({
  disabled_reason: reason,
}: Pick<WebhookEndpointView, 'disabled_reason'>): string {
  const { disabled, disabledReasons, unknownReason } = deliveryTexts;
  return disabled(reason === null ? unknownReason : disabledReasons[reason]);
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
  return deliveryTexts.overlap(bangkokTime(new Date(endsAt), new Date()));
}

export function recoveredText({
  events_queued: count,
}: Pick<BodyOf<'webhooks.RecoverEvents'>, 'events_queued'>): string {
  return deliveryTexts.recovered(count);
}

/** How a sink responds. */
export function sinkBehavior({
  fail_count: failing,
  respond_status: responses,
}: Pick<RowOf<'testkit.ListWebhookSinks'>, 'fail_count' | 'respond_status'>): string {
  return failing > 0 ? deliveryTexts.sinkFails(failing, responses) : deliveryTexts.sinkResponds(responses);
}

/** How many of these attempts have succeeded: `48 of 50 attempts succeeded (96 %)`. */
export function rateText(deliveries: readonly Pick<EndpointAttempt, 'status'>[]): string {
  const succeeded = deliveries.filter(({ status }) => status === 'delivered').length;
  const percent = Math.floor((succeeded / deliveries.length) * 100);
  return deliveryTexts.rate(succeeded, deliveries.length, percent);
}
