import { toTimestamp } from '../domain/clock.ts';
import type { Payout } from '../domain/payout.ts';
import type { World } from '../domain/world.ts';
import type { PayoutView } from './payouts.ts';
import { viewMoney } from './view-fields.ts';

export function viewPayout({ mode }: Pick<World, 'mode'>, payout: Payout): PayoutView {
  return {
    id: payout.id,
    number: payout.number,
    settlement_id: payout.settlementId,
    provider: payout.provider,
    amount: viewMoney(payout.amount),
    mode,
    return_reason: payout.returnReason,
    created_at: toTimestamp(payout.createdAtMs),
    updated_at: toTimestamp(payout.updatedAtMs),
    status: payout.status,
  };
}
