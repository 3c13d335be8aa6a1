import { sinkOperations } from '../shared/contract/sinks.ts';
import { viewPage, viewSink } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { listSinks } from '../shared/store/sink.ts';

/** Lists the sinks of the caller's test world, newest first: all of them, for they are at most 20. */
export const handler = serve(sinkOperations.listWebhookSinks, async ({ world }) => {
  const page = await listSinks(world);
  return { answer: viewPage(page, (sink) => viewSink(world, sink)) };
});
