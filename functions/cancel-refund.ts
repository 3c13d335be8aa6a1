import { refundOperations, viewRefund } from '../shared/contract/refunds.ts';
import { cancelRefund } from '../shared/domain/refund.ts';
import { afterOf } from '../shared/domain/resource-change.ts';
import { serve } from '../shared/http/serve.ts';
import { get } from '../shared/store/table/entity.ts';

/** Cancels a refund that is not approved yet and releases its amount for other refunds. */
export const handler = serve(refundOperations.cancelRefund, async ({ world, params, nowMs }) => {
  const refund = await get('refund', world, params.id);
  const canceled = cancelRefund(refund, nowMs);
  return { changes: [canceled], response: viewRefund(world, afterOf(canceled)) };
});
