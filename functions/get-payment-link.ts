import { paymentLinkOperations, viewPaymentLink } from '../shared/contract/payment-links.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { get } from '../shared/store/table/entity.ts';

export const handler = serveRead(paymentLinkOperations.getPaymentLink, async ({ world, params }) =>
  viewPaymentLink(world, await get('paymentLink', world, params.id)),
);
