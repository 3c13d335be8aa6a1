import { payoutOperations } from '../shared/contract/payouts.ts';
import { viewPayout } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { getPayout } from '../shared/store/payout.ts';

/** Retrieves one payout of the caller's world. */
export const handler = serve(payoutOperations.getPayout, async ({ world, params }) => {
  const payout = await getPayout(world, params.id);
  return { answer: viewPayout(world, payout) };
});
