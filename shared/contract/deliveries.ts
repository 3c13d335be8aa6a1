import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, type Delivery } from '../domain/delivery.ts';
import { withoutPages } from './events.ts';
import { component, idResponse, int32, timestamp } from './fields.ts';
import { optionalTimestamp } from './view-fields.ts';
import { mayUsePages, type Viewer } from './viewer.ts';

/** The fields of an attempt to deliver, to an endpoint or a sink. */
export const deliveryFields = {
  event_id: idResponse('evt'),
  attempt: int32,
  status: v.picklist(DELIVERY_STATUSES),
  request_headers: v.record(v.string(), v.string()),
  body: v.string(),
  answered_status: v.nullable(int32),
  answered_body: v.nullable(v.string()),
  failure: v.nullable(component('DeliveryFailure', v.picklist(DELIVERY_FAILURES))),
  duration_ms: v.nullable(int32),
  attempted_at: timestamp,
  next_attempt_at: v.nullable(timestamp),
};

/** The fields of a manual redelivery, which is sent at once. */
export const redeliveryFields = { event_id: idResponse('evt'), due_at: timestamp };

/** The body has no addresses of payers' pages if the key may not use them, or if none were sent (contract §5). */
export function viewAttempt(delivery: Delivery & { readonly body: string }, viewer: Viewer) {
  return {
    event_id: delivery.eventId,
    attempt: delivery.attempt,
    status: delivery.status,
    request_headers: delivery.requestHeaders,
    body: delivery.hidesPages !== true && mayUsePages(viewer) ? delivery.body : withoutPages(delivery),
    answered_status: delivery.responseStatus,
    answered_body: delivery.responseStart ?? null,
    failure: delivery.failure ?? null,
    duration_ms: delivery.durationMs ?? null,
    attempted_at: toTimestamp(delivery.attemptedAtMs),
    next_attempt_at: optionalTimestamp(delivery.nextAttemptAtMs),
  };
}
