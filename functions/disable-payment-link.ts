import { paymentLinkOperations, viewPaymentLink } from '../shared/contract/payment-links.ts';
import { disablePaymentLink } from '../shared/domain/payment-link.ts';
import { afterOf } from '../shared/domain/resource-change.ts';
import { serve } from '../shared/http/serve.ts';
import { get } from '../shared/store/table/entity.ts';

/** Disables a payment link. A link that is already disabled stays as it is, without an event. */
export const handler = serve(paymentLinkOperations.disablePaymentLink, async ({ world, params, nowMs }) => {
  const link = await get('paymentLink', world, params.id);
  const disabled = disablePaymentLink(link, nowMs);
  return disabled === null
    ? { response: viewPaymentLink(world, link) }
    : { changes: [disabled], response: viewPaymentLink(world, afterOf(disabled)) };
});
