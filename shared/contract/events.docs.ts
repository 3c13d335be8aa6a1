const NO_PAGES =
  "For a key without `payment.create` and `payment.read`, `checkout_url` and `next_action` are null, because they lead to the payer's page.";

export const eventDocs = {
  operations: {
    getEvent: ['Retrieve an event', NO_PAGES],
    listEvents: [
      'List events, newest first',
      `An event appears once it has its sequence number, a moment after the change that it reports. With \`after_sequence\`, the response has the events after that number, oldest first. A client that sends \`next_sequence\` each time misses no event. ${NO_PAGES}`,
    ],
  },
  paths: {
    'events/{id}': 'The id of the event: `evt_…`.',
  },
  queries: {
    after_sequence:
      'Only events after this sequence number, oldest first: 0, or the `next_sequence` of the previous page. Cannot be combined with `after`.',
    type: 'Only events of this type.',
    resource_id: 'Only events of this resource, of any kind.',
  },
  schemas: {
    EventPage: {
      about: 'One page of events: of the list, or after a sequence number.',
      data: 'The events of this page: newest first, or oldest first with `after_sequence`.',
      next_sequence:
        'Only with `after_sequence`: the value of `after_sequence` for the next request. It is the last number examined, or the number sent if no event follows.',
      world:
        'Only with `after_sequence`: an identifier of the world of the events, the same for each of its keys. For programs that store their position.',
    },
    EventType: { about: 'Type of the event: the kind of resource and what happened to it.' },
    Event: {
      about:
        'An event of a resource, exactly as webhooks send it. The `webhooks` of the OpenAPI document define `data.object` for each type.',
      id: 'The id of the event; webhooks send it as `webhook-id`. An event that is delivered twice has the same id.',
      type: 'Type of the event.',
      timestamp: "Time of the event, on the merchant's clock.",
      api_version: 'The API version of the event.',
      sequence: 'Sequence number among the events of this merchant and mode, from 1 and without gaps.',
      data: 'The affected resource.',
      request: 'The request that caused the event.',
    },
    EventData: {
      about: 'The resource affected by an event.',
      object: 'The whole resource right after the event.',
      previous_status: 'The status before the event; null if the resource is new.',
    },
    EventRequest: {
      about: 'The request that caused an event.',
      id: 'The id of the request; null if the passing of time caused the event.',
      idempotency_key: 'The `Idempotency-Key` of the request; null if it had none.',
    },
  },
} as const;
