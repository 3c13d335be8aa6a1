import { sinkOperations } from '../shared/contract/sinks.ts';
import { viewSink } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { getSink } from '../shared/store/sink.ts';

/** Retrieves a sink, with the secret that its deliveries are signed with. */
export const handler = serve(sinkOperations.getWebhookSink, async ({ world, params }) => {
  const sink = await getSink(world, params.id);
  return { answer: { ...viewSink(world, sink), secret: sink.secret } };
});
