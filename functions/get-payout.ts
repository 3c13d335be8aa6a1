import { payoutOperations, viewPayout } from '../shared/contract/payouts.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { get } from '../shared/store/table/entity.ts';

export const handler = serveRead(payoutOperations.getPayout, async ({ world, params }) =>
  viewPayout(world, await get('payout', world, params.id)),
);
