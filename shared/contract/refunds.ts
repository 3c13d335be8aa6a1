import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import type { Refund } from '../domain/refund.ts';
import { REASON_CODES, REFUND_STATUSES } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import { description, idResponse, int32, money, moneyResponse, soughtId, timestamp } from './fields.ts';
import { pageOf, pageQuery } from './list-page.ts';
import { numbering, type Operation, READ, WRITE } from './operation.ts';
import { optionalTimestamp, viewMoney } from './view-fields.ts';

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
  succeeded_at: v.nullable(timestamp),
  status,
});
export type RefundView = v.InferInput<typeof refundResponse>;

export const refundOperations = {
  requestRefund: {
    ...WRITE,
    id: 'payments.RequestRefund',
    path: '/api/v1/payments/{id}/refunds',
    summary: 'Request a refund of a succeeded payment',
    description:
      'Without an amount, the remaining amount is refunded. The refunds of a payment never exceed its amount, however many are requested at once.',
    permission: 'refund.request',
    storage: {
      get: ['PAYMENT'],
      put: ['REFUND', 'OUTBOX', 'JOBS'],
      update: ['PAYMENT'],
      updateWorld: numbering('refund'),
    },
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
    summary: 'Cancel a refund before its approval',
    permission: 'refund.cancel',
    storage: { get: ['REFUND'], put: ['REFUND', 'OUTBOX'], update: ['PAYMENT'] },
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
    summary: 'Retrieve a refund',
    permission: 'refund.read',
    storage: { get: ['REFUND'] },
    success: { status: 200, name: 'Refund', schema: refundResponse },
    errors: ['refund_not_found'],
  },
  listRefunds: {
    ...READ,
    id: 'payments.ListRefunds',
    path: '/api/v1/refunds',
    summary: 'List refunds, newest first',
    permission: 'refund.read',
    storage: { list: ['REFUNDS', 'REFUNDED'], batchGet: ['REFUND'] },
    query: v.strictObject({
      ...pageQuery,
      status: v.optional(status),
      payment_id: v.optional(soughtId),
    }),
    success: { status: 200, name: 'RefundPage', schema: pageOf(refundResponse) },
    errors: [],
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
    succeeded_at: optionalTimestamp(refund.succeededAtMs),
    status: refund.status,
  };
}
