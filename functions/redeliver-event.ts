import { viewEndpointRedelivery, webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { redeliveryOf } from '../shared/domain/delivery.ts';
import { merchantsOwn, requireEnabled } from '../shared/domain/endpoint.ts';
import { serve } from '../shared/http/serve.ts';
import { getDelivery } from '../shared/store/delivery.ts';
import { readEndpoints } from '../shared/store/endpoint.ts';

/** Sends an event to an endpoint again, now: under the same webhook id, outside the schedule of attempts. */
export const handler = serve(webhookEndpointOperations.redeliverEvent, async (request) => {
  const { world, params, nowMs } = request;
  const endpoint = merchantsOwn(await readEndpoints(world), params.id);
  requireEnabled(endpoint);
  const delivery = await getDelivery(world, endpoint.id, params.delivery_id);
  const job = redeliveryOf(delivery, nowMs);
  return { changes: [{ kind: 'job', job }], answer: viewEndpointRedelivery(delivery, nowMs) };
});
