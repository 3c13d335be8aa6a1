import { sinkOperations, viewSink } from '../shared/contract/testkit/sinks.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getSink, getSinkEndpoint } from '../shared/store/testkit/sinks.ts';

/** Retrieves a sink, with the secret that signs its deliveries. */
export const handler = serveRead(sinkOperations.getWebhookSink, async ({ world, params, baseUrl }) => {
  const endpoint = await getSinkEndpoint(world, params.id);
  const sink = await getSink(endpoint);
  return { ...viewSink(world, sink, baseUrl), secret: endpoint.secret };
});
