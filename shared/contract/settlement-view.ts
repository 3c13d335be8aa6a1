import { toTimestamp } from '../domain/clock.ts';
import type { Settlement } from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import type { SettlementView } from './settlements.ts';
import { viewMoney } from './view-fields.ts';

export function viewSettlement({ mode }: Pick<World, 'mode'>, settlement: Settlement): SettlementView {
  return {
    id: settlement.id,
    number: settlement.number,
    provider: settlement.provider,
    value_date: settlement.valueDate,
    expected: viewMoney(settlement.expected),
    stated: settlement.stated && viewMoney(settlement.stated),
    payout_id: settlement.payoutId,
    mode,
    created_at: toTimestamp(settlement.createdAtMs),
    status: settlement.status,
  };
}
