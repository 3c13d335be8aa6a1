import { sinkOperations, viewSink } from '../shared/contract/testkit/sinks.ts';
import { createSink } from '../shared/domain/testkit/sink.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Creates a webhook sink for tests. */
export const handler = serve(sinkOperations.createWebhookSink, async ({ world, body, baseUrl, nowMs }) => {
  const others = await readEndpoints(world);
  const { endpoint, sink } = createSink(others, body.name, nowMs);
  return {
    changes: [
      { kind: 'endpoint', before: null, after: endpoint },
      { kind: 'sink', before: null, after: sink },
    ],
    response: viewSink(world, sink, baseUrl),
  };
});
