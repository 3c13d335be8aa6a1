import { simulationOperations, viewSettled } from '../shared/contract/testkit/simulations.ts';
import { settleDay } from '../shared/flows/settle-day.ts';
import { serve } from '../shared/http/serve.ts';

/** Lets a provider settle what it owes up to a day: a payout where the statement matches. */
export const handler = serve(simulationOperations.simulateSettlement, async (request) => {
  const { body } = request;
  const settled = await settleDay(request, body);
  return { changes: settled.changes, answer: viewSettled(settled) };
});
