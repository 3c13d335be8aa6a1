import * as v from 'valibot';
import { toTimestamp } from '../../domain/clock.ts';
import { type Delivery, SIGNATURE_VERDICTS } from '../../domain/delivery.ts';
import {
  FAIL_COUNT_MAX,
  RESPOND_STATUS_MAX,
  RESPOND_STATUS_MIN,
  SINK_NAME_MAX_CHARS,
  type Sink,
  sinkUrl,
} from '../../domain/testkit/sink.ts';
import type { World } from '../../domain/world.ts';
import { deliveryFields, redeliveryFields, viewAttempt } from '../deliveries.ts';
import { component, idResponse, int32, int64, integer, text, timestamp } from '../fields.ts';
import { pageOf, pageQuery } from '../list-page.ts';
import { type Operation, PUBLIC, READ, WRITE } from '../operation.ts';
import type { Viewer } from '../viewer.ts';

const sinkFields = {
  id: idResponse('snk'),
  name: v.string(),
  url: v.string(),
  mode: v.string(),
  fail_count: int32,
  received_count: int64,
  respond_status: int32,
  created_at: timestamp,
  updated_at: timestamp,
};

const sinkResponse = v.object(sinkFields);
export type SinkView = v.InferInput<typeof sinkResponse>;

/** Only the retrieval of one sink returns its signing secret. */
const sinkWithSecretResponse = v.object({ ...sinkFields, secret: v.string() });

/** One attempt to deliver an event. */
const deliveryResponse = component(
  'Delivery',
  v.object({
    id: idResponse('dlv'),
    sink_id: idResponse('snk'),
    ...deliveryFields,
    signature_verdict: component('SignatureVerdict', v.picklist(SIGNATURE_VERDICTS)),
  }),
);

const redeliveryResponse = v.object({ sink_id: idResponse('snk'), ...redeliveryFields });

const LOOK = { ...READ, permission: 'simulate', mode: 'test' } as const;
const MANAGE = { ...WRITE, permission: 'simulate', mode: 'test' } as const;

export const sinkOperations = {
  createWebhookSink: {
    ...MANAGE,
    id: 'testkit.CreateWebhookSink',
    path: '/api/v1/test/webhooks/sinks',
    reads: ['endpoints'],
    changes: ['endpoint', 'sink'],
    body: v.strictObject({ name: v.optional(text(1, SINK_NAME_MAX_CHARS)) }),
    success: { status: 201, name: 'WebhookSink', schema: sinkResponse },
    example: { name: 'orders' },
  },
  updateWebhookSink: {
    ...MANAGE,
    id: 'testkit.UpdateWebhookSink',
    method: 'PATCH',
    path: '/api/v1/test/webhooks/sinks/{id}',
    reads: ['endpoints', 'sink'],
    changes: ['sink'],
    body: v.pipe(
      v.strictObject({
        fail_count: v.optional(integer(0, FAIL_COUNT_MAX)),
        respond_status: v.optional(integer(RESPOND_STATUS_MIN, RESPOND_STATUS_MAX)),
        sink_id: v.optional(v.string()),
      }),
      // An update must change something (contract §10).
      v.forward(
        v.partialCheck(
          [['fail_count'], ['respond_status']],
          ({ fail_count, respond_status }) => fail_count !== undefined || respond_status !== undefined,
          'required: is required if fail_count is omitted',
        ),
        ['respond_status'],
      ),
      v.metadata({ anyOf: [{ required: ['fail_count'] }, { required: ['respond_status'] }] }),
    ),
    bodyId: 'sink_id',
    success: { status: 200, name: 'WebhookSink', schema: sinkResponse },
    errors: ['sink_not_found'],
    example: { fail_count: 2, respond_status: 503 },
  },
  getWebhookSink: {
    ...LOOK,
    id: 'testkit.GetWebhookSink',
    path: '/api/v1/test/webhooks/sinks/{id}',
    reads: ['endpoints', 'sink'],
    success: { status: 200, name: 'WebhookSinkWithSecret', schema: sinkWithSecretResponse },
    errors: ['sink_not_found'],
  },
  listWebhookSinks: {
    ...LOOK,
    id: 'testkit.ListWebhookSinks',
    path: '/api/v1/test/webhooks/sinks',
    reads: ['endpoints', 'sinks'],
    success: { status: 200, name: 'WebhookSinkPage', schema: pageOf(sinkResponse) },
  },
  listDeliveries: {
    ...LOOK,
    id: 'testkit.ListDeliveries',
    path: '/api/v1/test/webhooks/sinks/{id}/deliveries',
    reads: ['endpoints', 'deliveries', 'delivered-events'],
    query: v.strictObject(pageQuery),
    success: { status: 200, name: 'DeliveryPage', schema: pageOf(deliveryResponse) },
    errors: ['sink_not_found'],
  },
  redeliver: {
    ...MANAGE,
    id: 'testkit.Redeliver',
    path: '/api/v1/test/webhooks/sinks/{id}/deliveries/{delivery_id}/redeliver',
    reads: ['endpoints', 'deliveries'],
    changes: ['attempt'],
    body: v.strictObject({}),
    success: { status: 200, name: 'Redelivery', schema: redeliveryResponse },
    errors: ['sink_not_found', 'delivery_not_found'],
    example: {},
  },
  receiveAtSink: {
    ...PUBLIC,
    id: 'testkit.ReceiveAtSink',
    method: 'POST',
    path: '/sink/{token}',
    reads: ['sink', 'world', 'endpoint'],
    changes: ['sink', 'sink-count'],
    success: { status: 200, contentType: 'application/json' },
    alsoResponds: {
      '2XX': 'Accepted, with the configured status of the sink.',
      '3XX': 'Refused, with the configured status of the sink.',
      '4XX': 'Refused, with the configured status of the sink.',
      '5XX': 'Refused, with the configured status of the sink.',
    },
    errors: ['route_not_found', 'body_too_large', 'unsupported_media_type'],
  },
} as const satisfies Record<string, Operation>;

/** @param baseUrl the public URL of the service */
export function viewSink({ mode }: Pick<World, 'mode'>, sink: Sink, baseUrl: string): SinkView {
  return {
    id: sink.id,
    name: sink.name,
    url: sinkUrl(sink, baseUrl),
    mode,
    fail_count: sink.failCount,
    received_count: sink.receivedCount,
    respond_status: sink.respondStatus,
    created_at: toTimestamp(sink.createdAtMs),
    updated_at: toTimestamp(sink.updatedAtMs),
  };
}

export function viewDelivery(
  delivery: Delivery & { readonly body: string },
  viewer: Viewer,
): v.InferInput<typeof deliveryResponse> {
  return {
    id: delivery.id,
    sink_id: delivery.endpointId,
    ...viewAttempt(delivery, viewer),
    signature_verdict: delivery.signatureVerdict,
  };
}

export function viewRedelivery(
  { endpointId, eventId }: Delivery,
  dueAtMs: number,
): v.InferInput<typeof redeliveryResponse> {
  return { sink_id: endpointId, event_id: eventId, due_at: toTimestamp(dueAtMs) };
}
