import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import type { Delivery } from '../domain/delivery.ts';
import { familyOf } from '../domain/endpoint.ts';
import {
  ALL_EVENTS,
  ENDPOINT_DESCRIPTION_MAX_CHARS,
  ENDPOINT_FILTERS_MAX,
  OVERLAP_HOURS_DEFAULT,
  OVERLAP_HOURS_MAX,
  PING_SECONDS,
  RECOVERABLE_MS,
} from '../domain/endpoint-limits.ts';
import { isId } from '../domain/id.ts';
import { EVENT_TYPES, type EventType } from '../domain/resource.ts';
import type { FieldError } from '../errors/field-error.ts';
import { deliveryFields, redeliveryFields, viewAttempt } from './deliveries.ts';
import {
  component,
  idResponse,
  instant,
  int32,
  integer,
  readInstant,
  text,
  timestamp,
  URL_MAX_CHARS,
} from './fields.ts';
import { pageOf, pageQuery } from './list-page.ts';
import {
  FUNCTION_TIMEOUT_SECONDS,
  LONG_FUNCTION_TIMEOUT_SECONDS,
  type Operation,
  READ,
  WRITE,
} from './operation.ts';
import { optionalTimestamp } from './view-fields.ts';
import type { Viewer } from './viewer.ts';
import { endpointFields, endpointResponse } from './webhook-endpoint-view.ts';

type EventFamily = EventType extends `${infer Kind}.${string}` ? `${Kind}.*` : never;
const EVENT_FAMILIES = new Set(EVENT_TYPES.map((type) => familyOf(type) as EventFamily));
/** What an endpoint can subscribe to: a type, all events of a resource, or all events (contract §14). */
const eventFilter = v.picklist([ALL_EVENTS, ...EVENT_FAMILIES, ...EVENT_TYPES]);
/** `checkEndpointUrl` checks where it leads, with the whole body. */
const url = v.pipe(v.string(), v.maxLength(URL_MAX_CHARS), v.metadata({ format: 'uri' }));

const input = {
  description: v.optional(text(0, ENDPOINT_DESCRIPTION_MAX_CHARS)),
  events: v.optional(v.pipe(v.array(eventFilter), v.minLength(1), v.maxLength(ENDPOINT_FILTERS_MAX))),
};

const createdResponse = v.object({ ...endpointFields, secret: v.string() });
/** Only a key that may manage endpoints gets the secret. */
const retrievedResponse = v.object({ ...endpointFields, secret: v.optional(v.string()) });

/** One attempt to send an event to an endpoint. */
const deliveryResponse = v.object({
  id: idResponse('dlv'),
  endpoint_id: idResponse('whe'),
  ...deliveryFields,
});

/** One attempt to send an event, to an endpoint or a sink. */
const eventDeliveryResponse = component(
  'EventDelivery',
  v.object({
    id: idResponse('dlv'),
    endpoint_id: v.nullable(idResponse('whe')),
    sink_id: v.nullable(idResponse('snk')),
    ...deliveryFields,
  }),
);

const redeliveryResponse = v.object({ endpoint_id: idResponse('whe'), ...redeliveryFields });

const recoveredResponse = v.object({
  events_queued: int32,
  has_more: v.boolean(),
  next_since: v.nullable(timestamp),
});

const deletedResponse = v.object({ id: idResponse('whe'), deleted: v.literal(true) });

/** Events can be recovered for 30 days of the merchant's clock (contract §14). */
function checkSince({ since }: Readonly<Record<string, unknown>>, nowMs: number): FieldError[] {
  const atMs = readInstant(since);
  if (atMs === null) {
    return [];
  }
  if (atMs > nowMs) {
    return [
      {
        code: 'max',
        field: 'since',
        message: `must not be after ${toTimestamp(nowMs)}, the time of the merchant's clock`,
      },
    ];
  }
  const earliestMs = nowMs - RECOVERABLE_MS;
  return atMs < earliestMs
    ? [{ code: 'min', field: 'since', message: `must be at most 30 days ago: ${toTimestamp(earliestMs)}` }]
    : [];
}

const MANAGE = { ...WRITE, permission: 'webhook.manage' } as const;
const LOOK = { ...READ, permission: 'webhook.read' } as const;

export const webhookEndpointOperations = {
  createWebhookEndpoint: {
    ...MANAGE,
    id: 'webhooks.CreateWebhookEndpoint',
    path: '/api/v1/webhook-endpoints',
    reads: ['endpoints', 'endpoint-slots'],
    changes: ['endpoint.change', 'endpoint-slot'],
    body: v.strictObject({ url, ...input }),
    success: { status: 201, name: 'WebhookEndpointWithSecret', schema: createdResponse },
    errors: ['endpoint_limit_reached'],
    example: { url: 'https://shop.example.com/webhooks', events: ['payment.*', 'refund.succeeded'] },
  },
  updateWebhookEndpoint: {
    ...MANAGE,
    id: 'webhooks.UpdateWebhookEndpoint',
    method: 'PATCH',
    path: '/api/v1/webhook-endpoints/{id}',
    reads: ['endpoints', 'endpoint-slots'],
    changes: ['endpoint.change', 'endpoint-slot'],
    body: v.strictObject({ url: v.optional(url), ...input, enabled: v.optional(v.boolean()) }),
    success: { status: 200, name: 'WebhookEndpoint', schema: endpointResponse },
    errors: ['webhook_endpoint_not_found', 'endpoint_limit_reached'],
    example: { description: 'orders', enabled: false },
  },
  deleteWebhookEndpoint: {
    ...MANAGE,
    id: 'webhooks.DeleteWebhookEndpoint',
    method: 'DELETE',
    path: '/api/v1/webhook-endpoints/{id}',
    reads: ['endpoints'],
    changes: ['endpoint.delete'],
    body: v.strictObject({}),
    success: { status: 200, name: 'DeletedWebhookEndpoint', schema: deletedResponse },
    errors: ['webhook_endpoint_not_found'],
    example: {},
  },
  rotateWebhookSecret: {
    ...MANAGE,
    id: 'webhooks.RotateWebhookSecret',
    path: '/api/v1/webhook-endpoints/{id}/rotate-secret',
    reads: ['endpoints'],
    changes: ['endpoint.change'],
    body: v.strictObject({
      overlap_hours: v.optional(integer(0, OVERLAP_HOURS_MAX), OVERLAP_HOURS_DEFAULT),
    }),
    success: { status: 200, name: 'WebhookEndpointWithSecret', schema: createdResponse },
    errors: ['webhook_endpoint_not_found'],
    example: { overlap_hours: 24 },
  },
  sendTestEvent: {
    ...MANAGE,
    id: 'webhooks.SendTestEvent',
    path: '/api/v1/webhook-endpoints/{id}/ping',
    reads: ['endpoints'],
    changes: ['ping-lease', 'delivery', 'endpoint.note'],
    timeoutSeconds: FUNCTION_TIMEOUT_SECONDS + PING_SECONDS,
    body: v.strictObject({}),
    success: { status: 200, name: 'EndpointDelivery', schema: deliveryResponse },
    errors: ['webhook_endpoint_not_found', 'invalid_state', 'endpoint_busy'],
    example: {},
  },
  recoverEvents: {
    ...MANAGE,
    id: 'webhooks.RecoverEvents',
    path: '/api/v1/webhook-endpoints/{id}/recover',
    reads: ['endpoints', 'deliveries', 'events', 'attempts'],
    changes: ['endpoint', 'job'],
    timeoutSeconds: LONG_FUNCTION_TIMEOUT_SECONDS,
    body: v.strictObject({ since: instant }),
    checkBody: checkSince,
    success: { status: 200, name: 'RecoveredEvents', schema: recoveredResponse },
    errors: ['webhook_endpoint_not_found', 'invalid_state', 'endpoint_busy'],
    example: { since: '2026-11-01T00:00:00.000Z' },
  },
  redeliverEvent: {
    ...MANAGE,
    id: 'webhooks.RedeliverEvent',
    path: '/api/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver',
    reads: ['endpoints', 'deliveries'],
    changes: ['attempt'],
    body: v.strictObject({}),
    success: { status: 200, name: 'EndpointRedelivery', schema: redeliveryResponse },
    errors: ['webhook_endpoint_not_found', 'delivery_not_found', 'invalid_state'],
    example: {},
  },
  getWebhookEndpoint: {
    ...LOOK,
    id: 'webhooks.GetWebhookEndpoint',
    path: '/api/v1/webhook-endpoints/{id}',
    reads: ['endpoints'],
    success: { status: 200, name: 'RetrievedWebhookEndpoint', schema: retrievedResponse },
    errors: ['webhook_endpoint_not_found'],
  },
  listWebhookEndpoints: {
    ...LOOK,
    id: 'webhooks.ListWebhookEndpoints',
    path: '/api/v1/webhook-endpoints',
    reads: ['endpoints'],
    success: { status: 200, name: 'WebhookEndpointPage', schema: pageOf(endpointResponse) },
  },
  listEndpointDeliveries: {
    ...LOOK,
    id: 'webhooks.ListEndpointDeliveries',
    path: '/api/v1/webhook-endpoints/{id}/deliveries',
    reads: ['endpoints', 'deliveries', 'delivered-events'],
    query: v.strictObject(pageQuery),
    success: { status: 200, name: 'EndpointDeliveryPage', schema: pageOf(deliveryResponse) },
    errors: ['webhook_endpoint_not_found'],
  },
  listEventDeliveries: {
    ...LOOK,
    id: 'webhooks.ListEventDeliveries',
    path: '/api/v1/events/{id}/deliveries',
    testPermission: 'simulate',
    reads: ['events', 'endpoints', 'deliveries'],
    query: v.strictObject(pageQuery),
    success: { status: 200, name: 'EventDeliveryPage', schema: pageOf(eventDeliveryResponse) },
    errors: ['event_not_found'],
  },
} as const satisfies Record<string, Operation>;

export function viewEndpointDelivery(
  delivery: Delivery & { readonly body: string },
  viewer: Viewer,
): v.InferInput<typeof deliveryResponse> {
  return { id: delivery.id, endpoint_id: delivery.endpointId, ...viewAttempt(delivery, viewer) };
}

export function viewEventDelivery(
  delivery: Delivery & { readonly body: string },
  viewer: Viewer,
): v.InferInput<typeof eventDeliveryResponse> {
  const { id, endpointId } = delivery;
  const isSink = isId('snk', endpointId);
  return {
    id,
    endpoint_id: isSink ? null : endpointId,
    sink_id: isSink ? endpointId : null,
    ...viewAttempt(delivery, viewer),
  };
}

export function viewEndpointRedelivery(
  { endpointId, eventId }: Delivery,
  dueAtMs: number,
): v.InferInput<typeof redeliveryResponse> {
  return { endpoint_id: endpointId, event_id: eventId, due_at: toTimestamp(dueAtMs) };
}

export function viewRecovered(
  queued: number,
  nextSinceMs: number | null,
): v.InferInput<typeof recoveredResponse> {
  return {
    events_queued: queued,
    has_more: nextSinceMs !== null,
    next_since: optionalTimestamp(nextSinceMs),
  };
}
