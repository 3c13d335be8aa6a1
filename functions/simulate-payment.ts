import { simulationOperations, viewProviderEvent } from '../shared/contract/testkit/simulations.ts';
import { newId } from '../shared/domain/id.ts';
import { paymentProviderEvent, requireFittingAmount } from '../shared/domain/provider-event.ts';
import { applyNowOrLater, applyOnce, applyPaymentEvent } from '../shared/flows/apply-provider-event.ts';
import { serve } from '../shared/http/serve.ts';
import { findProviderEvent } from '../shared/store/events/provider-event.ts';
import { readPaymentWithLink } from '../shared/store/money/payment-link.ts';

/** Simulates a provider event about a payment, now or after a delay. An event id takes effect once. */
export const handler = serve(simulationOperations.simulatePayment, async (request) => {
  const { world, params, body, nowMs } = request;
  const eventId = body.eventId ?? newId('pev', nowMs);
  const reads = [readPaymentWithLink(request, params.id), findProviderEvent(world, eventId)] as const;
  const [{ payment, link }, known] = await Promise.all(reads);
  const event = paymentProviderEvent(payment, { eventId, actionId: newId('act', nowMs) }, body);
  const { changes, ...reported } = await applyOnce(world, event, known, async () => {
    requireFittingAmount(payment, event);
    const apply = () => applyPaymentEvent(world, payment, event, nowMs, link);
    return applyNowOrLater(event, { nowMs, delaySeconds: body.delaySeconds }, apply);
  });
  return { changes, response: viewProviderEvent(reported, { payment_id: payment.id }) };
});
