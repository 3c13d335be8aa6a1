import type * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import type { Money } from '../domain/money.ts';
import type { NextAction } from '../domain/next-action.ts';
import type { Payment } from '../domain/payment.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import type { Refund } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import type { paymentLinkAnswer } from './payment-links.ts';
import type { canceledPaymentAnswer, paymentAnswer } from './payments.ts';
import type { refundAnswer } from './refunds.ts';

export type PaymentView = v.InferInput<typeof paymentAnswer>;
export type CanceledPaymentView = v.InferInput<typeof canceledPaymentAnswer>;
export type RefundView = v.InferInput<typeof refundAnswer>;
export type PaymentLinkView = v.InferInput<typeof paymentLinkAnswer>;

type Mode = Pick<World, 'mode'>;

export function viewPayment({ mode }: Mode, payment: Payment): PaymentView {
  return {
    ...viewCommon(mode, payment),
    customer_email: payment.customer.email,
    customer_name: payment.customer.name,
    customer_phone: payment.customer.phone,
  };
}

export function viewCanceledPayment({ mode }: Mode, payment: Payment): CanceledPaymentView {
  const { email, name, phone } = payment.customer;
  return { ...viewCommon(mode, payment), customer: { email, name, phone } };
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

export function viewRefund({ mode }: Mode, refund: Refund): RefundView {
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

export function viewPaymentLink({ mode }: Mode, link: PaymentLink): PaymentLinkView {
  return {
    id: link.id,
    number: link.number,
    code: link.code,
    url: link.url,
    amount: link.amount && viewMoney(link.amount),
    amount_type: link.amountType,
    min_amount: link.minAmount && viewMoney(link.minAmount),
    max_amount: link.maxAmount && viewMoney(link.maxAmount),
    currency: link.currency,
    collect_email: link.collect.email,
    collect_name: link.collect.name,
    collect_phone: link.collect.phone,
    created_at: toTimestamp(link.createdAtMs),
    description: link.description,
    expires_at: optionalTimestamp(link.expiresAtMs),
    max_uses: link.maxUses,
    uses: link.uses,
    metadata: link.metadata,
    mode,
    return_url: link.returnUrl,
    status: link.status,
  };
}

/** In the order of the interface: a stored map comes back in any order. */
function viewMoney({ currency, minor }: Money): Money {
  return { currency, minor };
}

function optionalTimestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : toTimestamp(epochMs);
}

/** A page of a list (contract §13). */
export function viewPage<Entity, View>(
  page: { readonly data: readonly Entity[]; readonly nextCursor: string | null },
  view: (entity: Entity) => View,
): { data: View[]; has_more: boolean; next_cursor: string | null } {
  return { data: page.data.map(view), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
}
