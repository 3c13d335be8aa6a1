import { viewPage } from '../shared/contract/list-page.ts';
import { paymentLinkOperations, viewPaymentLink } from '../shared/contract/payment-links.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { list } from '../shared/store/table/list.ts';

export const handler = serveRead(paymentLinkOperations.listPaymentLinks, async ({ world, query }) =>
  viewPage(await list('paymentLink', world, query), (link) => viewPaymentLink(world, link)),
);
