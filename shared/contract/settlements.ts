import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import { PROVIDER_MAX_CHARS, SETTLEMENT_STATUSES, type Settlement } from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import { component, dayInQuery, idResponse, moneyResponse, timestamp } from './fields.ts';
import { checkQueryDays, pageOf, resourceQuery } from './list-page.ts';
import { type Operation, READ } from './operation.ts';
import { viewMoney } from './view-fields.ts';

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
      provider: v.optional(v.pipe(v.string(), v.maxLength(PROVIDER_MAX_CHARS))),
      value_date: v.optional(dayInQuery),
    }),
    checkQuery: checkQueryDays('created_from', 'value_date'),
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
