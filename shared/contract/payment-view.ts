import { toTimestamp } from '../domain/clock.ts';
import type { NextAction } from '../domain/next-action.ts';
import type { Payment } from '../domain/payment.ts';
import type { World } from '../domain/world.ts';
import type { CanceledPaymentView, PaymentView } from './payments.ts';
import { optionalTimestamp, viewMoney } from './view-fields.ts';
import { asSeenBy, EVERYBODY, type Viewer } from './viewer.ts';

export function viewPayment({ mode }: Pick<World, 'mode'>, payment: Payment): PaymentView {
  return {
    ...viewCommon(mode, payment),
    customer_email: payment.customer.email,
    customer_name: payment.customer.name,
    customer_phone: payment.customer.phone,
  };
}

export function viewCanceledPayment(
  { mode }: Pick<World, 'mode'>,
  payment: Payment,
  viewer: Viewer = EVERYBODY,
): CanceledPaymentView {
  const { email, name, phone } = payment.customer;
  return { ...asSeenBy(viewer, viewCommon(mode, payment)), customer: { email, name, phone } };
}

function viewCommon(mode: string, payment: Payment) {
  return {
    id: payment.id,
    number: payment.number,
    amount: viewMoney(payment.amount),
    checkout_url: payment.checkoutUrl,
    created_at: toTimestamp(payment.createdAtMs),
    description: payment.description,
    expires_at: toTimestamp(payment.expiresAtMs),
    late: payment.late,
    metadata: payment.metadata,
    method: payment.method,
    mode,
    next_action: payment.status === 'requires_action' ? viewNextAction(payment) : null,
    reference: payment.reference,
    refunded_minor: payment.refundedMinor,
    payment_link_id: payment.linkId ?? null,
    return_url: payment.returnUrl,
    status: payment.status,
    succeeded_at: optionalTimestamp(payment.succeededAtMs),
  };
}

function viewNextAction(payment: Payment): PaymentView['next_action'] {
  const action: NextAction | undefined = payment.attempt?.nextAction;
  const expires_at = toTimestamp(payment.expiresAtMs);
  switch (action?.type) {
    case undefined:
      return null;
    case 'display_qr':
      return {
        type: action.type,
        qr: { payload: action.qr.payload, image_svg_url: action.qr.imageSvgUrl },
        expires_at,
      };
    case 'redirect':
      return { type: action.type, url: action.url, expires_at };
    case 'bank_transfer':
      return {
        type: action.type,
        bank_code: action.bankCode,
        account_number: action.accountNumber,
        account_name: action.accountName,
        reference: action.reference,
        amount: viewMoney(payment.amount),
        expires_at,
      };
  }
}
