import { simulationOperations, viewSimulation } from '../shared/contract/testkit/simulations.ts';
import { newId } from '../shared/domain/id.ts';
import { applyPayoutOutcome } from '../shared/domain/payout.ts';
import { serve } from '../shared/http/serve.ts';
import { get } from '../shared/store/table/entity.ts';

/** Simulates the bank's outcome of a payout: paid, failed or returned. */
export const handler = serve(simulationOperations.simulatePayout, async ({ world, params, body, nowMs }) => {
  const payout = await get('payout', world, params.id);
  const change = applyPayoutOutcome(payout, body.outcome, body.returnReason, nowMs);
  const ids = {
    action_id: newId('act', nowMs),
    provider_event_id: newId('pev', nowMs),
    payout_id: payout.id,
  };
  return { changes: [change], response: viewSimulation({ ...ids, outcome: body.outcome }) };
});
