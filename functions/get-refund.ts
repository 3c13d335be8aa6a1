import { refundOperations, viewRefund } from '../shared/contract/refunds.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { get } from '../shared/store/table/entity.ts';

export const handler = serveRead(refundOperations.getRefund, async ({ world, params }) =>
  viewRefund(world, await get('refund', world, params.id)),
);
