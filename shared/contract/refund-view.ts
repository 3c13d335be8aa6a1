import { toTimestamp } from '../domain/clock.ts';
import type { Refund } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import type { RefundView } from './refunds.ts';
import { optionalTimestamp, viewMoney } from './view-fields.ts';

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
