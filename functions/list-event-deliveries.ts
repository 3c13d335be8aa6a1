import { viewPage } from '../shared/contract/list-page.ts';
import { viewEventDelivery, webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listEventDeliveries } from '../shared/store/events/delivery.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';
import { getEvent } from '../shared/store/events/event-log.ts';

/** Lists the attempts to send an event to any receiver, newest first. */
export const handler = serveRead(webhookEndpointOperations.listEventDeliveries, async (request) => {
  const { world, params, query } = request;
  const [event, endpoints] = await Promise.all([getEvent(world, params.id), readEndpoints(world)]);
  const page = await listEventDeliveries(world, event, endpoints, query);
  return viewPage(page, (delivery) => viewEventDelivery(delivery, request));
});
