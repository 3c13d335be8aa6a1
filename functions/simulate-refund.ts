import { simulationOperations, viewProviderEvent } from '../shared/contract/testkit/simulations.ts';
import { newId } from '../shared/domain/id.ts';
import { refundProviderEvent, repeat } from '../shared/domain/provider-event.ts';
import { applyNowOrLater, applyRefundEvent } from '../shared/flows/apply-provider-event.ts';
import { serve } from '../shared/http/serve.ts';
import { findProviderEvent } from '../shared/store/provider-event.ts';
import { getRefund } from '../shared/store/refund.ts';

/** Says what the provider says of a refund, now or after a delay; the same event id twice is said once. */
export const handler = serve(simulationOperations.simulateRefund, async (request) => {
  const { world, params, body, nowMs } = request;
  const eventId = body.event_id ?? newId('pev', nowMs);
  const reads = [getRefund(world, params.id), findProviderEvent(world, eventId)] as const;
  const [refund, said] = await Promise.all(reads);
  const word = refundProviderEvent(refund, { eventId, actionId: newId('act', nowMs) }, body);
  if (said !== null) {
    return { answer: viewProviderEvent(repeat(said.word, word), said.state, true) };
  }
  const when = { nowMs, delaySeconds: body.delay_seconds };
  const settle = () => applyRefundEvent(request, refund, word, nowMs);
  const { changes, state } = await applyNowOrLater(request, word, when, settle);
  return { changes, answer: viewProviderEvent(word, state, false) };
});
