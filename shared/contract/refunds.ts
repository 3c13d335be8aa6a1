import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import { REASON_CODES, REFUND_STATUSES, type Refund } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import { description, idResponse, int32, money, moneyResponse, soughtId, timestamp } from './fields.ts';
import { checkQueryDays, pageOf, resourceQuery } from './list-page.ts';
import { type Operation, READ, WRITE } from './operation.ts';
import { historyResponse, optionalTimestamp, viewHistory, viewMoney } from './view-fields.ts';

const status = v.picklist(REFUND_STATUSES);

const refundResponse = v.object({
  id: idResponse('ref'),
  number: v.string(),
  payment_id: idResponse('pay'),
  amount: moneyResponse,
  reason: v.nullable(v.string()),
  reason_code: int32,
  mode: v.string(),
  created_at: timestamp,
  failure_code: v.nullable(v.string()),
  succeeded_at: v.nullable(timestamp),
  status,
  status_history: historyResponse('RefundStatusAt', status),
});
export type RefundView = v.InferInput<typeof refundResponse>;

export const refundOperations = {
  requestRefund: {
    ...WRITE,
    id: 'payments.RequestRefund',
    path: '/api/v1/payments/{id}/refunds',
    permission: 'refund.request',
    reads: ['payment'],
    changes: ['refund.request'],
    body: v.strictObject({
      amount: v.optional(money),
      payment_id: v.optional(v.string()),
      reason: v.optional(description),
      reason_code: v.optional(v.picklist(REASON_CODES)),
    }),
    bodyId: 'payment_id',
    success: { status: 200, name: 'Refund', schema: refundResponse },
    errors: [
      'payment_not_found',
      'invalid_state',
      'refund_amount_exceeded',
      'refund_window_closed',
      'refund_unavailable',
    ],
    example: {
      amount: { currency: 'THB', minor: 50_000 },
      reason: 'One ticket was not used',
      reason_code: 1,
    },
  },
  cancelRefund: {
    ...WRITE,
    id: 'payments.CancelRefund',
    path: '/api/v1/refunds/{id}/cancel',
    permission: 'refund.cancel',
    reads: ['refund'],
    changes: ['refund', 'release'],
    body: v.strictObject({ refund_id: v.optional(v.string()) }),
    bodyId: 'refund_id',
    success: { status: 200, name: 'Refund', schema: refundResponse },
    errors: ['refund_not_found', 'invalid_state'],
    example: {},
  },
  getRefund: {
    ...READ,
    id: 'payments.GetRefund',
    path: '/api/v1/refunds/{id}',
    permission: 'refund.read',
    reads: ['refund'],
    success: { status: 200, name: 'Refund', schema: refundResponse },
    errors: ['refund_not_found'],
  },
  listRefunds: {
    ...READ,
    id: 'payments.ListRefunds',
    path: '/api/v1/refunds',
    permission: 'refund.read',
    reads: ['refunds'],
    query: v.strictObject({
      ...resourceQuery,
      status: v.optional(status),
      payment_id: v.optional(soughtId),
    }),
    checkQuery: checkQueryDays('created_from'),
    success: { status: 200, name: 'RefundPage', schema: pageOf(refundResponse) },
  },
} as const satisfies Record<string, Operation>;

export function viewRefund({ mode }: Pick<World, 'mode'>, refund: Refund): RefundView {
  return {
    id: refund.id,
    number: refund.number,
    payment_id: refund.paymentId,
    amount: viewMoney(refund.amount),
    reason: refund.reason,
    reason_code: refund.reasonCode,
    mode,
    created_at: toTimestamp(refund.createdAtMs),
    failure_code: refund.failureCode ?? null,
    succeeded_at: optionalTimestamp(refund.succeededAtMs),
    status: refund.status,
    status_history: viewHistory(refund),
  };
}
