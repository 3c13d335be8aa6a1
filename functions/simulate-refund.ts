import { simulationOperations, viewProviderEvent } from '../shared/contract/testkit/simulations.ts';
import { newId } from '../shared/domain/id.ts';
import { refundProviderEvent } from '../shared/domain/provider-event.ts';
import { applyNowOrLater, applyOnce, applyRefundEvent } from '../shared/flows/apply-provider-event.ts';
import { serve } from '../shared/http/serve.ts';
import { findProviderEvent } from '../shared/store/events/provider-event.ts';
import { get } from '../shared/store/table/entity.ts';

/** Simulates a provider event about a refund, now or after a delay. An event id takes effect once. */
export const handler = serve(simulationOperations.simulateRefund, async ({ world, params, body, nowMs }) => {
  const eventId = body.eventId ?? newId('pev', nowMs);
  const reads = [get('refund', world, params.id), findProviderEvent(world, eventId)] as const;
  const [refund, known] = await Promise.all(reads);
  const event = refundProviderEvent(refund, { eventId, actionId: newId('act', nowMs) }, body);
  const { changes, ...reported } = await applyOnce(world, event, known, () => {
    const apply = () => applyRefundEvent(refund, event, nowMs);
    return applyNowOrLater(event, { nowMs, delaySeconds: body.delaySeconds }, apply);
  });
  const ids = { payment_id: refund.paymentId, refund_id: refund.id };
  return { changes, response: viewProviderEvent(reported, ids) };
});
