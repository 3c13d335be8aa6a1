import { viewPage } from '../shared/contract/list-page.ts';
import { sinkOperations, viewSink } from '../shared/contract/testkit/sinks.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listSinks } from '../shared/store/testkit/sinks.ts';

/** Lists the sinks of the caller's test world, newest first: all of them, since there are at most 20. */
export const handler = serveRead(sinkOperations.listWebhookSinks, async ({ world, baseUrl }) => {
  const page = await listSinks(world);
  return viewPage(page, (sink) => viewSink(world, sink, baseUrl));
});
