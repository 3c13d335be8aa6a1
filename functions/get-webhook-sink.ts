import { sinkOperations, viewSink } from '../shared/contract/testkit/sinks.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getSink } from '../shared/store/testkit/sinks.ts';

/** Retrieves a sink, with the secret that signs its deliveries. */
export const handler = serveRead(sinkOperations.getWebhookSink, async ({ world, params, baseUrl }) => {
  const sink = await getSink(world, params.id);
  return { ...viewSink(world, sink, baseUrl), secret: sink.secret };
});
