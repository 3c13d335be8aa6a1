import { sinkOperations } from '../shared/contract/sinks.ts';
import { viewDelivery, viewPage } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { listDeliveries } from '../shared/store/delivery.ts';
import { getSink } from '../shared/store/sink.ts';

/** Lists the attempts to deliver to a sink, newest first. */
export const handler = serve(sinkOperations.listDeliveries, async ({ world, params, query }) => {
  const sink = await getSink(world, params.id);
  const page = await listDeliveries(world, sink.id, query);
  return { answer: viewPage(page, viewDelivery) };
});
