import { payoutOperations } from '../shared/contract/payouts.ts';
import { viewPage, viewPayout } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { listPayouts } from '../shared/store/payout.ts';

/** Lists the payouts of the caller's world, newest first. */
export const handler = serve(payoutOperations.listPayouts, async ({ world, query }) => {
  const page = await listPayouts(world, query);
  return { answer: viewPage(page, (payout) => viewPayout(world, payout)) };
});
