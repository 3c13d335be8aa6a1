import type { AnyJson } from './any-json.ts';
import { bangkokTime } from './times.ts';

const FAILURES: Readonly<Record<string, string>> = {
  address_forbidden: 'its host name resolves to an address that is not allowed',
  name_not_found: 'its host name is unknown',
  unreachable: 'its server does not respond',
  tls_failed: 'its certificate is not trusted',
  connection_lost: 'the connection was lost',
  timeout: 'the response did not arrive in time',
  invalid_answer: 'its response is not valid HTTP',
};
const DISABLED: Readonly<Record<string, string>> = {
  requested: 'you disabled it',
  gone: 'its server responded with 410 (Gone)',
  failing: 'every delivery failed for 5 days',
};
const HOUR_MS = 3_600_000;

/** Why an attempt failed, in words; null if it did not. */
export function failureOf({ status, failure, answered_status: answered }: AnyJson): string | null {
  if (status === 'delivered') {
    return null;
  }
  const reason =
    FAILURES[failure] ??
    (answered >= 300 && answered < 400
      ? `the response was ${answered}, and redirects are not followed`
      : `the response was ${answered}, and only 2xx accepts an event`);
  return `${status === 'exhausted' ? 'Given up' : 'Failed'}: ${reason}.`;
}

export function responseOf({ answered_status: answered }: AnyJson): string {
  return answered === null ? 'no response' : `response ${answered}`;
}

export function durationOf({ duration_ms: duration }: AnyJson): string | null {
  return duration === null ? null : `${duration} ms`;
}

/** The type of the delivered event. */
export function eventTypeOf({ body }: AnyJson): string {
  return /"type":"([a-z_.]+)"/.exec(body)?.[1] ?? 'event';
}

/** Why an endpoint is disabled. */
export function disabledText({ disabled_reason: reason }: AnyJson): string {
  return `Disabled: ${DISABLED[reason] ?? reason}`;
}

/** An instant from which no event is missed: an event is somewhat older than the attempt to deliver it. */
export function lastWellAt({ last_success_at: last, created_at: created }: AnyJson): string {
  const before = last === null ? created : new Date(Date.parse(last) - HOUR_MS).toISOString();
  return before > created ? before : created;
}

/** In real time, whatever the merchant's clock shows. */
export function overlapText(endsAt: string): string {
  return `The previous secret also signs until ${bangkokTime(new Date(endsAt), new Date())} in Bangkok, in real time.`;
}

export function recoveredText({ events_queued: count }: AnyJson): string {
  return `${count} ${count === 1 ? 'event is' : 'events are'} being sent again.`;
}

/** How a sink responds. */
export function sinkBehavior({ fail_count: failing, respond_status: answers }: AnyJson): string {
  return failing > 0 ? `fails ${failing} more, with ${answers}` : `responds with ${answers}`;
}

/** How many of these attempts have succeeded: `48 of 50 attempts succeeded (96 %)`. */
export function rateText(deliveries: readonly AnyJson[]): string {
  const succeeded = deliveries.filter(({ status }) => status === 'delivered').length;
  const attempts = deliveries.length === 1 ? 'attempt' : 'attempts';
  return `${succeeded} of ${deliveries.length} ${attempts} succeeded (${Math.floor((succeeded / deliveries.length) * 100)} %)`;
}
