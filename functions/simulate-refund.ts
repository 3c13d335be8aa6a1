import { simulationOperations } from '../shared/contract/simulations.ts';
import { viewWord } from '../shared/contract/views.ts';
import { newId } from '../shared/domain/id.ts';
import { refundWord, repeat } from '../shared/domain/provider-word.ts';
import { serve } from '../shared/http/serve.ts';
import { sayNowOrLater, settleRefund } from '../shared/jobs/settle.ts';
import { findProviderWord } from '../shared/store/provider-event.ts';
import { getRefund } from '../shared/store/refund.ts';

/** Says what the provider says of a refund, now or after a delay; the same event id twice is said once. */
export const handler = serve(simulationOperations.simulateRefund, async (request) => {
  const { world, params, body, nowMs } = request;
  const eventId = body.event_id ?? newId('pev', nowMs);
  const reads = [getRefund(world, params.id), findProviderWord(world, eventId)] as const;
  const [refund, said] = await Promise.all(reads);
  const word = refundWord(refund, { eventId, actionId: newId('act', nowMs) }, body);
  if (said !== null) {
    return { answer: viewWord(repeat(said.word, word), said.state, true) };
  }
  const when = { nowMs, delaySeconds: body.delay_seconds };
  const settle = () => settleRefund(request, refund, word, nowMs);
  const { changes, state } = sayNowOrLater(request, word, when, settle);
  return { changes, answer: viewWord(word, state, false) };
});
