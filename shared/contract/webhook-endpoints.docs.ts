const WEBHOOK_ENDPOINT = {
  id: 'The id of the endpoint.',
  url: 'The URL to which events are sent.',
  description: 'Description of the endpoint; null if none was given.',
  events:
    'The subscribed events: types (`payment.succeeded`), all events of a resource (`payment.*`), or all events (`*`).',
  status: '`enabled` or `disabled`. A disabled endpoint receives no events.',
  disabled_reason:
    'Why the endpoint is disabled; null if it is enabled. `requested`: the merchant disabled it. `gone`: it responded with 410. `failing`: every attempt failed for 5 days.',
  previous_secret_expires_at:
    'Time until which the previous secret also signs, in real time; null if there is no previous secret.',
  api_version: 'The API version of its events.',
  last_success_at:
    "Time of the last successful delivery, on the merchant's clock, accurate to the hour; null if there is none.",
  last_failure_at:
    "Time of the last failed attempt, on the merchant's clock, accurate to the hour; null if there is none.",
  failing_since:
    "Time of the first failure since the last success, on the merchant's clock; null if there is none. The first failure 5 days or more after it disables the endpoint.",
};

const WITH_SECRET = {
  ...WEBHOOK_ENDPOINT,
  secret:
    'Signing secret of its deliveries (Standard Webhooks): `whsec_…`. During a rotation, the newest secret.',
};

const WEBHOOK_ENDPOINT_INPUT = {
  url: 'The URL to which events are sent: https, a public host, port 443 or at least 1024, without user name, password and fragment, and without backslashes, spaces and line breaks. In test mode, a service on your own machine also accepts http to that machine.',
  description: 'Description of the endpoint.',
  events: 'Event types (`payment.succeeded`), all of a resource (`payment.*`) or all (`*`, the default).',
};

export const ATTEMPT = {
  id: 'The id of the attempt.',
  event_id: 'The delivered event.',
  attempt: 'Number of the attempt to deliver this event there, from 1.',
  status:
    'Result of the attempt. `delivered`: the response was 2xx. `failed`: it was not; if `next_attempt_at` is set, another attempt follows. `exhausted`: it was not, and this was the last attempt.',
  request_headers: 'The request headers as sent, by lower-case name.',
  body: 'The request body as sent: the event as JSON text.',
  answered_status: 'HTTP status of the response; null if there was none.',
  answered_body:
    'Start of the response body, at most 1 KB. Null if there was none, and for a sink that accepted the event.',
  failure: 'Why there was no complete response; null if there was one, whatever its status.',
  duration_ms: 'Duration in milliseconds, from the DNS lookup to the end of the response.',
  attempted_at: "Time of the attempt, on the merchant's clock.",
  next_attempt_at: "Time of the next attempt, on the merchant's clock; null if there is none.",
};

export const webhookEndpointDocs = {
  operations: {
    createWebhookEndpoint: [
      'Create a webhook endpoint',
      'An endpoint is a server of your own. From now on it receives the events of its mode that match `events`, signed with `secret`. A merchant has at most 16 endpoints in each mode and in each created world, and at most 64 enabled ones in all its created worlds together. The key must be able to read what matches `events` (`payment.read` for payments, payouts and settlements, `refund.read`, `paymentlink.read`, `webhook.read`); otherwise 403 `permission_denied` names the missing permission.',
    ],
    updateWebhookEndpoint: [
      'Update, disable or enable a webhook endpoint',
      'Only the given fields change. A disabled endpoint receives nothing; when it is enabled again, it receives the events from then on, and counts again among the 64 enabled ones of all created worlds. To change `url`, `events` or `enabled`, the key must be able to read what the endpoint receives, before and after the change.',
    ],
    deleteWebhookEndpoint: [
      'Delete a webhook endpoint',
      'The endpoint receives no more events, and its delivery log is deleted.',
    ],
    rotateWebhookSecret: [
      'Rotate the signing secret of a webhook endpoint',
      'For `overlap_hours` of real time, deliveries have two signatures: one with the new secret and one with the previous secret.',
    ],
    sendTestEvent: [
      'Send a test event to a webhook endpoint',
      'Sends an event `webhook.ping`, which is not in the list of events and has no sequence number. The endpoint has 5 seconds to respond; the response of this request has the result. One ping of an endpoint can run at a time.',
    ],
    recoverEvents: [
      'Recover missed events of a webhook endpoint',
      'Queues again, oldest first and with the same `webhook-id`, every event from `since` on that matches its `events`, has no 2xx response and is not already queued for the endpoint. At most 10,000 events at a time: continue with `next_since`. One recovery of an endpoint can run at a time.',
    ],
    redeliverEvent: [
      'Redeliver an event to a webhook endpoint',
      'The event is sent now, with the same `webhook-id`, outside the schedule of attempts.',
    ],
    getWebhookEndpoint: [
      'Retrieve a webhook endpoint',
      'For a key with `webhook.manage`, the response includes the secret.',
    ],
    listWebhookEndpoints: [
      'List webhook endpoints, newest first',
      'There are at most 16 endpoints, so one page has them all. Sinks are not included.',
    ],
    listEndpointDeliveries: [
      'List delivery attempts to a webhook endpoint, newest first',
      'Each attempt with its request and response, for 90 days of real time. `next_attempt_at` is the time of the next attempt; after the eighth there is none, and you can redeliver the event.',
    ],
    listEventDeliveries: [
      'List the attempts to deliver an event, newest first',
      'The attempts to every receiver: webhook endpoints and, in test mode, sinks. A page may have fewer items than `limit` although more follow: check `has_more`. In test mode, the permission `simulate` is enough.',
    ],
  },
  paths: {
    'webhook-endpoints/{id}': 'The id of the webhook endpoint: `whe_…`.',
    'deliveries/{delivery_id}': 'The id of the attempt to repeat: `dlv_…`.',
  },
  schemas: {
    WebhookEndpoint: { about: "A merchant's server to which events are sent.", ...WEBHOOK_ENDPOINT },
    WebhookEndpointWithSecret: { about: 'A webhook endpoint with its signing secret.', ...WITH_SECRET },
    RetrievedWebhookEndpoint: {
      about: 'A webhook endpoint; for a key with `webhook.manage`, with its signing secret.',
      ...WITH_SECRET,
    },
    DeletedWebhookEndpoint: {
      about: 'A deleted webhook endpoint.',
      id: 'The id of the deleted endpoint.',
      deleted: 'Always true.',
    },
    CreateWebhookEndpointRequest: { about: 'The endpoint to create.', ...WEBHOOK_ENDPOINT_INPUT },
    UpdateWebhookEndpointRequest: {
      about: 'The fields to change. Omitted fields stay unchanged.',
      ...WEBHOOK_ENDPOINT_INPUT,
      enabled: 'False: the endpoint receives no more events. True: it receives the events from then on.',
    },
    RotateWebhookSecretRequest: {
      about: 'How long the previous secret stays valid.',
      overlap_hours: 'Hours of real time for which both secrets sign. 0: the previous secret ends at once.',
    },
    SendTestEventRequest: { about: 'Empty, because the path has the id.' },
    EndpointDelivery: {
      about: 'One attempt to send an event to a webhook endpoint.',
      ...ATTEMPT,
      endpoint_id: 'The endpoint of the delivery.',
    },
    EventDelivery: {
      about: 'One attempt to send an event to one of its receivers.',
      ...ATTEMPT,
      endpoint_id: 'The endpoint of the delivery; null if it went to a sink.',
      sink_id: 'The sink of the delivery; null if it went to a webhook endpoint.',
    },
    DeliveryFailure: {
      about:
        'Why there was no complete response. `address_forbidden`: the name resolves to a forbidden address. `name_not_found`, `unreachable`, `tls_failed`: no connection was established. `connection_lost`, `timeout`, `invalid_answer`: a connection was established.',
    },
    RecoverEventsRequest: {
      about: 'The start of the recovery.',
      since: "A time on the merchant's clock, at most 30 days ago.",
    },
    RecoveredEvents: {
      about: 'The events that were queued again.',
      events_queued: 'Number of queued events.',
      has_more: 'Whether there are more events; another request recovers them.',
      next_since: 'The value of `since` for the next request; null if there are no more events.',
    },
    RedeliverEventRequest: { about: 'Empty, because the path has the ids.' },
    EndpointRedelivery: {
      about: 'A manually requested delivery to a webhook endpoint.',
      endpoint_id: 'The endpoint of the delivery.',
      event_id: 'The event to deliver.',
    },
  },
  events: {
    'webhook_endpoint.created': 'A webhook endpoint was created.',
    'webhook_endpoint.updated':
      'A webhook endpoint was changed: its URL, description, events, status or signing secret.',
    'webhook_endpoint.deleted': 'A webhook endpoint was deleted: it receives no more events.',
    'webhook_endpoint.disabled':
      'A webhook endpoint has failed for five days and was disabled. Fix the receiver, enable the endpoint, and recover the events that it missed.',
    'webhook.ping':
      'A test that you sent to one endpoint. It has no sequence number, and is not in the list of events.',
  },
} as const;
