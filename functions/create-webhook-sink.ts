import { sinkOperations, viewSink } from '../shared/contract/testkit/sinks.ts';
import { createSink } from '../shared/domain/testkit/sink.ts';
import { serve } from '../shared/http/serve.ts';
import { readSinks } from '../shared/store/testkit/sinks.ts';

/** Creates a test receiver of webhooks. */
export const handler = serve(sinkOperations.createWebhookSink, async ({ world, body, baseUrl, nowMs }) => {
  const sinks = await readSinks(world);
  const sink = createSink(sinks, body.name, nowMs);
  return { changes: [sink], answer: viewSink(world, sink.after, baseUrl) };
});
