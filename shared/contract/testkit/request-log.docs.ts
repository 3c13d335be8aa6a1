export const requestLogDocs = {
  operations: {
    listRequests: [
      'List the requests of the test world, newest first',
      'Every request that changes something, whether it succeeded, was refused or was a replay, and every other request that was refused, for 7 days of real time. Reads that succeeded are not logged, and 503 `temporarily_unavailable` is not. API keys and signing secrets are left out. A purge deletes the log; live mode has none.',
    ],
  },
  schemas: {
    LoggedRequest: {
      about: 'A request of a test world.',
      id: 'The id of the request, as in `X-Request-Id`.',
      at: "Time of the request, on the merchant's clock.",
      method: 'HTTP method.',
      path: 'Path without the query.',
      operation: 'The operation, by its `operationId`.',
      status: 'HTTP status of the response.',
      code: 'Error code of the problem; null if the request succeeded.',
      duration_ms: 'Duration in milliseconds until the response was made.',
      key_id: 'The id of the API key that was used.',
      idempotency_key: 'The `Idempotency-Key`; null if none was sent.',
      replayed: 'Whether the response is the saved one of an earlier request.',
      trace_id:
        'The id of the trace of the request, as in the `traceparent` of the deliveries that it causes; null of requests that were logged without it.',
      request_body: 'Start of the request body, at most 4 KB; null if there was none.',
      response_body: 'Start of the response body, at most 4 KB; null if there was none.',
    },
  },
} as const;
