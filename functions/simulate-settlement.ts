import { simulationOperations, viewSimulation } from '../shared/contract/testkit/simulations.ts';
import { settleDay } from '../shared/flows/settle-day.ts';
import { serve } from '../shared/http/serve.ts';

/** Simulates a provider's statement up to a day. If it matches, a payout is made. */
export const handler = serve(simulationOperations.simulateSettlement, async (request) => {
  const { actionId, providerEventId, payoutId, changes, ...came } = await settleDay(request, request.body);
  const ids = { action_id: actionId, provider_event_id: providerEventId, payout_id: payoutId };
  return { changes, response: viewSimulation({ ...ids, ...came }) };
});
