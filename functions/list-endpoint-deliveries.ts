import { viewPage } from '../shared/contract/list-page.ts';
import { viewEndpointDelivery, webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { merchantEndpoint } from '../shared/domain/endpoint.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listDeliveries } from '../shared/store/events/delivery.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Lists the attempts to send events to an endpoint, newest first. */
export const handler = serveRead(webhookEndpointOperations.listEndpointDeliveries, async (request) => {
  const { world, params, query } = request;
  const { id } = merchantEndpoint(await readEndpoints(world), params.id);
  const page = await listDeliveries(world, id, query);
  return viewPage(page, (delivery) => viewEndpointDelivery(delivery, request));
});
