import { reportOperations, viewBalance } from '../shared/contract/reports.ts';
import { LAST_DAY, netOf } from '../shared/domain/balance.ts';
import { payoutSumsOf } from '../shared/domain/payout.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { readBalances } from '../shared/store/money/balance.ts';
import { readPayouts } from '../shared/store/money/payout.ts';

export const handler = serveRead(reportOperations.getBalance, async ({ world, nowMs }) => {
  const [days, payouts] = await Promise.all([readBalances(world, LAST_DAY), readPayouts(world)]);
  return viewBalance({ unsettled: netOf(days), ...payoutSumsOf(payouts) }, nowMs);
});
