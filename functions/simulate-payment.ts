import { simulationOperations } from '../shared/contract/simulations.ts';
import { viewWord } from '../shared/contract/views.ts';
import { newId } from '../shared/domain/id.ts';
import { paymentWord, repeat, requireFittingAmount } from '../shared/domain/provider-word.ts';
import { serve } from '../shared/http/serve.ts';
import { sayNowOrLater, settlePayment } from '../shared/jobs/settle.ts';
import { readPaymentWithLink } from '../shared/store/payment-link.ts';
import { findProviderWord } from '../shared/store/provider-event.ts';

/** Says what the provider says of a payment, now or after a delay; the same event id twice is said once. */
export const handler = serve(simulationOperations.simulatePayment, async (request) => {
  const { world, params, body, nowMs } = request;
  const eventId = body.event_id ?? newId('pev', nowMs);
  const reads = [readPaymentWithLink(world, params.id), findProviderWord(world, eventId)] as const;
  const [{ payment, link }, said] = await Promise.all(reads);
  const word = paymentWord(payment, { eventId, actionId: newId('act', nowMs) }, body);
  if (said !== null) {
    return { answer: viewWord(repeat(said.word, word), said.state, true) };
  }
  requireFittingAmount(payment, word);
  const when = { nowMs, delaySeconds: body.delay_seconds };
  const settle = () => settlePayment(request, payment, word, nowMs, link);
  const { changes, state } = sayNowOrLater(request, word, when, settle);
  return { changes, answer: viewWord(word, state, false) };
});
