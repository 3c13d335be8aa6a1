import { viewPayout } from '../shared/contract/payout-view.ts';
import { simulationOperations, viewSimulation } from '../shared/contract/testkit/simulations.ts';
import { newId } from '../shared/domain/id.ts';
import { applyPayoutOutcome } from '../shared/domain/payout.ts';
import { serve } from '../shared/http/serve.ts';
import { announce } from '../shared/store/event.ts';
import { getPayout, recordPayout } from '../shared/store/payout.ts';

/** Says what the bank says of a payout: paid, failed, or returned. */
export const handler = serve(simulationOperations.simulatePayout, async (request) => {
  const { world, params, body, nowMs } = request;
  const payout = await getPayout(world, params.id);
  const step = applyPayoutOutcome(payout, body.outcome, body.return_reason, nowMs);
  const ids = {
    action_id: newId('act', nowMs),
    provider_event_id: newId('pev', nowMs),
    payout_id: payout.id,
  };
  return {
    changes: [...recordPayout(world, payout, step), ...announce(request, [step], viewPayout)],
    answer: viewSimulation({ ...ids, outcome: body.outcome }),
  };
});
