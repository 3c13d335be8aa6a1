import { sinkOperations, viewRedelivery } from '../shared/contract/testkit/sinks.ts';
import { redeliveryOf } from '../shared/domain/delivery.ts';
import { serve } from '../shared/http/serve.ts';
import { getDelivery } from '../shared/store/events/delivery.ts';
import { getSinkEndpoint } from '../shared/store/testkit/sinks.ts';

/** Sends an event to a sink again, now: under the same webhook id, outside the schedule of attempts. */
export const handler = serve(sinkOperations.redeliver, async (request) => {
  const { world, params, nowMs } = request;
  const { id } = await getSinkEndpoint(world, params.id);
  const delivery = await getDelivery(world, id, params.deliveryId);
  const job = redeliveryOf(delivery, nowMs);
  return { changes: [{ kind: 'job', job }], response: viewRedelivery(delivery, nowMs) };
});
