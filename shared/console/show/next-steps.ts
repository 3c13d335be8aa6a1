import type { PaymentLinkView } from '../../contract/payment-links.ts';
import type { PaymentView } from '../../contract/payments.ts';
import { addressOfId } from '../../story/addresses.ts';
import { kindOfId, toneOf } from '../../story/lists.ts';
import { paymentNeed } from '../../story/needs-somebody.ts';
import type { OperationId } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import type { GateResponse } from '../call/gate.ts';
import { showTexts } from './show-texts.ts';

const texts = showTexts.nextSteps;

/** Where a response leads: to the resource itself, to the payer's page, or to what can be done with it next. */
export interface NextStep {
  readonly label: string;
  readonly address: string;
  /** Whether it is another page of the service, and not a route of the dashboard. */
  readonly isOutside: boolean;
}

const open = (label: string, address: string): NextStep => ({ label, address, isOutside: true });
const form = (label: string, operation: OperationId, id: string): NextStep => ({
  label,
  address: addressOf(['api', operation], { id }),
  isOutside: false,
});

/** What can be done next with the resource that a response holds. @param origin of this service */
export function nextStepsOf({ body }: Pick<GateResponse, 'body'>, origin: string): NextStep[] {
  const resource: Partial<PaymentView & Pick<PaymentLinkView, 'url'>> = Object(body);
  const { id, checkout_url, url } = resource;
  if (id === undefined) {
    return [];
  }
  const address = addressOfId(id);
  const page = checkout_url ?? url;
  const isPage = typeof page === 'string' && page.startsWith(`${origin}/`) && /^(pay|lnk)_/.test(id);
  return [
    ...(address === null ? [] : [{ label: texts.show, address, isOutside: false }]),
    ...(isPage ? [open(id.startsWith('pay_') ? texts.openCheckout : texts.openPage, page)] : []),
    ...stepsOf(id, resource),
  ];
}

function stepsOf(id: string, resource: Partial<PaymentView>): NextStep[] {
  const { status = '' } = resource;
  const kind = `${id.slice(0, 3)} ${status}`;
  const { simulateId } = kindOfId(id) ?? {};
  const isOpen = status === 'created' || toneOf(status) === 'open';
  return [
    ...(simulateId !== undefined && isOpen ? [form(texts.simulate, simulateId, id)] : []),
    ...(/^pay (created|requires_action)$/.test(kind)
      ? [form(texts.cancel, 'payments.CancelPayment', id)]
      : []),
    ...(kind === 'pay succeeded' ? [form(texts.refund, 'payments.RequestRefund', id)] : []),
    ...(paymentNeed(resource) === null ? [] : [form(texts.markHandled, 'payments.MarkPaymentHandled', id)]),
  ];
}
