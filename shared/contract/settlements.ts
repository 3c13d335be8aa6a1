import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import { SETTLEMENT_STATUSES, type Settlement } from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import { component, idResponse, moneyResponse, soughtId, timestamp } from './fields.ts';
import { pageOf, resourceQuery } from './list-page.ts';
import { type Operation, READ } from './operation.ts';
import { viewMoney } from './view-fields.ts';

/** Checked only for its form: a day that does not exist has no settlements. */
const soughtDay = v.pipe(v.string(), v.maxLength('YYYY-MM-DD'.length), v.regex(/^\d{4}-\d{2}-\d{2}$/));

const status = component('SettlementStatus', v.picklist(SETTLEMENT_STATUSES));

const settlementResponse = v.object({
  id: idResponse('stl'),
  number: v.string(),
  provider: v.string(),
  value_date: v.string(),
  expected: moneyResponse,
  stated: v.nullable(moneyResponse),
  payout_id: v.nullable(idResponse('pot')),
  mode: v.string(),
  created_at: timestamp,
  status,
});
export type SettlementView = v.InferInput<typeof settlementResponse>;

export const settlementOperations = {
  getSettlement: {
    ...READ,
    id: 'settlements.GetSettlement',
    path: '/api/v1/settlements/{id}',
    permission: 'payment.read',
    reads: ['settlement'],
    success: { status: 200, name: 'Settlement', schema: settlementResponse },
    errors: ['settlement_not_found'],
  },
  listSettlements: {
    ...READ,
    id: 'settlements.ListSettlements',
    path: '/api/v1/settlements',
    permission: 'payment.read',
    reads: ['settlements'],
    query: v.strictObject({
      ...resourceQuery,
      status: v.optional(status),
      provider: v.optional(soughtId),
      value_date: v.optional(soughtDay),
    }),
    success: { status: 200, name: 'SettlementPage', schema: pageOf(settlementResponse) },
  },
} as const satisfies Record<string, Operation>;

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
