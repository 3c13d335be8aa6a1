import { ATTEMPT } from '../webhook-endpoints.docs.ts';

const SINK = {
  id: 'The id of the sink.',
  name: 'The given name, or `sink-` and a number.',
  url: 'The URL of the sink. Anyone who knows it can send to it.',
  fail_count: 'Number of next deliveries that the sink still refuses; after that it accepts them again.',
  received_count: 'Number of deliveries received, including refused ones.',
  respond_status:
    'HTTP status of its responses: for every delivery if `fail_count` is 0, otherwise for the deliveries that it refuses.',
};

export const sinkDocs = {
  operations: {
    createWebhookSink: [
      'Create a webhook sink',
      'It receives every event of its world and can simulate failures. At most 20 sinks per world.',
    ],
    updateWebhookSink: [
      'Update a webhook sink',
      'With `fail_count` N, the next N deliveries get `respond_status` (500 if that is a success status); then `respond_status` is 200. With 0, every delivery gets `respond_status`.',
    ],
    getWebhookSink: [
      'Retrieve a webhook sink with its signing secret',
      'Only this response has the secret. `fail_count` is the number of deliveries that it still refuses with `respond_status`.',
    ],
    listWebhookSinks: [
      'List webhook sinks, newest first',
      'A world has at most 20 sinks, so one page has them all.',
    ],
    listDeliveries: [
      'List delivery attempts to a webhook sink, newest first',
      'Each attempt with its request and response, and with the result of the signature check in `signature_verdict`.',
    ],
    redeliver: [
      'Redeliver an event to a webhook sink',
      'The event is sent now, with the same `webhook-id`, outside the schedule of attempts.',
    ],
    receiveAtSink: [
      'Receive a delivery at a webhook sink',
      'Responds as the sink is configured. The URL has an unguessable token.',
    ],
  },
  paths: {
    'sinks/{id}': 'The id of the sink: `snk_…`.',
    'sink/{token}': 'The token of the sink: the last part of its `url`.',
  },
  schemas: {
    WebhookSink: { about: 'A test receiver of webhooks that can simulate failures.', ...SINK },
    WebhookSinkWithSecret: {
      about: 'A sink with its signing secret.',
      ...SINK,
      secret: 'Signing secret of its deliveries (Standard Webhooks): `whsec_…`.',
    },
    CreateWebhookSinkRequest: {
      about: 'The sink to create.',
      name: 'Name of the sink. Default: `sink-` and a number.',
    },
    UpdateWebhookSinkRequest: {
      about: 'How the sink responds: `fail_count`, `respond_status` or both. Omitted fields stay unchanged.',
      fail_count:
        'Number of next deliveries to refuse; after that `respond_status` is 200. 0: every delivery gets `respond_status`.',
      respond_status:
        'HTTP status of the responses. If `fail_count` is greater than 0 and this is a success status, 500 is sent instead.',
    },
    SignatureVerdict: {
      about: 'Result of the signature check of a receiver; `unknown` if it reported none.',
    },
    Delivery: {
      about: 'One attempt to deliver an event to a sink.',
      ...ATTEMPT,
      sink_id: 'The sink of the delivery.',
      signature_verdict:
        'Result of the signature check of the sink: `valid`, `invalid`, or `unknown` if it reported none.',
    },
    RedeliverRequest: { about: 'Empty, because the path has the ids.' },
    Redelivery: {
      about: 'A manually requested delivery to a sink.',
      sink_id: 'The sink of the delivery.',
      event_id: 'The event to deliver.',
    },
  },
} as const;
