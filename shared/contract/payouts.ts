import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import { PAYOUT_STATUSES, type Payout } from '../domain/payout.ts';
import type { World } from '../domain/world.ts';
import { idResponse, moneyResponse, timestamp } from './fields.ts';
import { checkQueryDays, pageOf, resourceQuery } from './list-page.ts';
import { type Operation, READ } from './operation.ts';
import { viewMoney } from './view-fields.ts';

const status = v.picklist(PAYOUT_STATUSES);

const payoutResponse = v.object({
  id: idResponse('pot'),
  number: v.string(),
  settlement_id: idResponse('stl'),
  provider: v.string(),
  amount: moneyResponse,
  mode: v.string(),
  return_reason: v.nullable(v.string()),
  created_at: timestamp,
  updated_at: timestamp,
  status,
});
export type PayoutView = v.InferInput<typeof payoutResponse>;

export const payoutOperations = {
  getPayout: {
    ...READ,
    id: 'payouts.GetPayout',
    path: '/api/v1/payouts/{id}',
    permission: 'payment.read',
    reads: ['payout'],
    success: { status: 200, name: 'Payout', schema: payoutResponse },
    errors: ['payout_not_found'],
  },
  listPayouts: {
    ...READ,
    id: 'payouts.ListPayouts',
    path: '/api/v1/payouts',
    permission: 'payment.read',
    reads: ['payouts'],
    query: v.strictObject({ ...resourceQuery, status: v.optional(status) }),
    checkQuery: checkQueryDays('created_from'),
    success: { status: 200, name: 'PayoutPage', schema: pageOf(payoutResponse) },
  },
} as const satisfies Record<string, Operation>;

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
