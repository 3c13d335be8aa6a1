import { sinkOperations, viewRedelivery } from '../shared/contract/testkit/sinks.ts';
import { redeliveryOf } from '../shared/domain/delivery.ts';
import { serve } from '../shared/http/serve.ts';
import { getDelivery } from '../shared/store/delivery.ts';
import { getSink } from '../shared/store/testkit/sinks.ts';

/** Sends an event to a sink again, now: under the same webhook id, outside the schedule of attempts. */
export const handler = serve(sinkOperations.redeliver, async (request) => {
  const { world, params, nowMs } = request;
  const sink = await getSink(world, params.id);
  const delivery = await getDelivery(world, sink.id, params.delivery_id);
  const job = redeliveryOf(delivery, nowMs);
  return { changes: [{ kind: 'job', job }], answer: viewRedelivery(delivery, nowMs) };
});
