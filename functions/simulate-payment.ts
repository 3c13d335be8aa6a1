import { simulationOperations, viewProviderEvent } from '../shared/contract/testkit/simulations.ts';
import { newId } from '../shared/domain/id.ts';
import { paymentProviderEvent, repeat, requireFittingAmount } from '../shared/domain/provider-event.ts';
import { applyNowOrLater, applyPaymentEvent } from '../shared/flows/apply-provider-event.ts';
import { serve } from '../shared/http/serve.ts';
import { readPaymentWithLink } from '../shared/store/payment-link.ts';
import { findProviderEvent } from '../shared/store/provider-event.ts';

/** Simulates a provider event about a payment, now or after a delay. An event id takes effect once. */
export const handler = serve(simulationOperations.simulatePayment, async ({ world, params, body, nowMs }) => {
  const eventId = body.event_id ?? newId('pev', nowMs);
  const reads = [readPaymentWithLink(world, params.id), findProviderEvent(world, eventId)] as const;
  const [{ payment, link }, stored] = await Promise.all(reads);
  const event = paymentProviderEvent(payment, { eventId, actionId: newId('act', nowMs) }, body);
  if (stored !== null) {
    return { answer: viewProviderEvent(repeat(stored.event, event), stored.state, true) };
  }
  requireFittingAmount(payment, event);
  const when = { nowMs, delaySeconds: body.delay_seconds };
  const apply = () => applyPaymentEvent(world, payment, event, nowMs, link);
  const { changes, state } = await applyNowOrLater(event, when, apply);
  return { changes, answer: viewProviderEvent(event, state, false) };
});
