import { viewEndpointRedelivery, webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { redeliveryOf } from '../shared/domain/delivery.ts';
import { merchantEndpoint, requireEnabled } from '../shared/domain/endpoint.ts';
import { found } from '../shared/errors/problem.ts';
import { serve } from '../shared/http/serve.ts';
import { findDelivery } from '../shared/store/events/delivery.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Sends an event to an endpoint again, now: under the same webhook id, outside the schedule of attempts. */
export const handler = serve(webhookEndpointOperations.redeliverEvent, async (request) => {
  const { world, params, nowMs } = request;
  const reads = [readEndpoints(world), findDelivery(world, params.id, params.deliveryId)] as const;
  const [endpoints, attempt] = await Promise.all(reads);
  requireEnabled(merchantEndpoint(endpoints, params.id));
  const delivery = found(attempt, 'delivery_not_found');
  const job = redeliveryOf(delivery, nowMs);
  return { changes: [{ kind: 'job', job }], response: viewEndpointRedelivery(delivery, nowMs) };
});
