import { paymentLinkOperations, viewPaymentLink } from '../shared/contract/payment-links.ts';
import { newId } from '../shared/domain/id.ts';
import { createPaymentLink, newLinkCode } from '../shared/domain/payment-link.ts';
import { afterOf } from '../shared/domain/resource-change.ts';
import { requirePayable } from '../shared/flows/require-payable.ts';
import { serve } from '../shared/http/serve.ts';
import { takeNumber } from '../shared/store/worlds/world.ts';

/** Creates a payment link: a page on which anyone with its address can pay. */
export const handler = serve(
  paymentLinkOperations.createPaymentLink,
  async ({ world, body, nowMs, baseUrl }) => {
    await requirePayable(world, body);
    const number = await takeNumber(world, 'paymentLink');
    const code = newLinkCode();
    const identity = { id: newId('lnk', nowMs), number, code, url: `${baseUrl}/l/${code}` };
    const created = createPaymentLink(identity, body, nowMs);
    return { changes: [created], response: viewPaymentLink(world, afterOf(created)) };
  },
);
