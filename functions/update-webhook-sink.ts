import { sinkOperations, viewSink } from '../shared/contract/testkit/sinks.ts';
import { instructSink } from '../shared/domain/testkit/sink.ts';
import { serve } from '../shared/http/serve.ts';
import { getSink, getSinkEndpoint } from '../shared/store/testkit/sinks.ts';

/** Sets how a sink responds from now on. Omitted fields keep their value. */
export const handler = serve(sinkOperations.updateWebhookSink, async (request) => {
  const { world, params, body, baseUrl, nowMs } = request;
  const sink = await getSink(await getSinkEndpoint(world, params.id));
  const instructed = instructSink(sink, body, nowMs);
  return { changes: [instructed], response: viewSink(world, instructed.after, baseUrl) };
});
