import { viewPage } from '../shared/contract/list-page.ts';
import { sinkOperations, viewDelivery } from '../shared/contract/testkit/sinks.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listDeliveries } from '../shared/store/events/delivery.ts';
import { getSinkEndpoint } from '../shared/store/testkit/sinks.ts';

/** Lists the attempts to deliver to a sink, newest first. */
export const handler = serveRead(sinkOperations.listDeliveries, async (request) => {
  const { world, params, query } = request;
  const { id } = await getSinkEndpoint(world, params.id);
  const page = await listDeliveries(world, id, query);
  return viewPage(page, (delivery) => viewDelivery(delivery, request));
});
