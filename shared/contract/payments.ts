import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import { EXPIRES_IN_MINUTES_MAX, PAYMENT_STATUSES, type Payment } from '../domain/payment.ts';
import { PAYMENT_METHODS } from '../domain/payment-method.ts';
import type { World } from '../domain/world.ts';
import {
  checkReturnUrl,
  clientIp,
  component,
  description,
  email,
  emailInQuery,
  handledNote,
  idResponse,
  int64,
  integer,
  metadata,
  metadataResponse,
  minorInQuery,
  money,
  moneyResponse,
  personName,
  phone,
  reference,
  referencePrefix,
  soughtId,
  timestamp,
  webUrl,
} from './fields.ts';
import { checkQueryDays, pageOf, resourceQuery } from './list-page.ts';
import { type Operation, READ, WRITE } from './operation.ts';
import { historyResponse, optionalTimestamp, viewHistory, viewMoney } from './view-fields.ts';
import { asSeenBy, type Viewer } from './viewer.ts';

const expires = { expires_at: timestamp };

const nextAction = component(
  'NextAction',
  v.variant('type', [
    component(
      'DisplayQrAction',
      v.object({
        type: v.literal('display_qr'),
        qr: component('PromptPayQr', v.object({ payload: v.string(), image_svg_url: v.string() })),
        ...expires,
      }),
    ),
    component('RedirectAction', v.object({ type: v.literal('redirect'), url: v.string(), ...expires })),
    component(
      'BankTransferAction',
      v.object({
        type: v.literal('bank_transfer'),
        bank_code: v.string(),
        account_number: v.string(),
        account_name: v.string(),
        reference: v.string(),
        amount: moneyResponse,
        ...expires,
      }),
    ),
  ]),
);

const method = component('PaymentMethod', v.picklist(PAYMENT_METHODS));
const status = v.picklist(PAYMENT_STATUSES);

const common = {
  id: idResponse('pay'),
  number: v.string(),
  amount: moneyResponse,
  checkout_url: v.nullable(v.string()),
  created_at: timestamp,
  description: v.nullable(v.string()),
  expires_at: timestamp,
  failure_code: v.nullable(v.string()),
  handled_at: v.nullable(timestamp),
  handled_note: v.nullable(v.string()),
  late: v.boolean(),
  metadata: metadataResponse,
  method: v.nullable(method),
  mode: v.string(),
  next_action: v.nullable(nextAction),
  payment_link_id: v.nullable(idResponse('lnk')),
  received: v.nullable(moneyResponse),
  reference: v.nullable(v.string()),
  refunded_minor: int64,
  rehearsal: v.optional(v.boolean()),
  return_url: v.nullable(v.string()),
  status,
  status_history: historyResponse('PaymentStatusAt', status),
  succeeded_at: v.nullable(timestamp),
};

const paymentResponse = v.object({
  ...common,
  customer_email: v.nullable(v.string()),
  customer_name: v.nullable(v.string()),
  customer_phone: v.nullable(v.string()),
});
export type PaymentView = v.InferInput<typeof paymentResponse>;

/** Only this response has `customer` as an object (contract §5). */
const canceledPaymentResponse = v.object({
  ...common,
  customer: component(
    'Customer',
    v.object({
      email: v.nullable(v.string()),
      name: v.nullable(v.string()),
      phone: v.nullable(v.string()),
    }),
  ),
});

const createPaymentBody = v.strictObject({
  amount: money,
  method: v.optional(method),
  reference: v.optional(reference),
  description: v.optional(description),
  customer: v.optional(
    component(
      'CustomerInput',
      v.strictObject({ email: v.optional(email), name: v.optional(personName), phone: v.optional(phone) }),
    ),
  ),
  expires_in_minutes: v.optional(integer(1, EXPIRES_IN_MINUTES_MAX)),
  checkout: v.optional(v.boolean()),
  client_ip: v.optional(clientIp),
  metadata: v.optional(metadata),
  return_url: v.optional(webUrl),
});

export const paymentOperations = {
  createPayment: {
    ...WRITE,
    id: 'payments.CreatePayment',
    path: '/api/v1/payments',
    permission: 'payment.create',
    mode: 'provider',
    changes: ['payment.create'],
    provider: true,
    body: createPaymentBody,
    checkBody: (body, _nowMs, mode) => checkReturnUrl(body, mode),
    success: { status: 201, name: 'Payment', schema: paymentResponse },
    example: {
      amount: { currency: 'THB', minor: 129_900 },
      method: 'promptpay',
      reference: 'order-1042',
      description: 'Two tickets to Chiang Mai',
      customer: { email: 'somchai@example.com', name: 'Somchai Jaidee', phone: '0812345678' },
      metadata: { cart: 'c_77' },
    },
  },
  cancelPayment: {
    ...WRITE,
    id: 'payments.CancelPayment',
    path: '/api/v1/payments/{id}/cancel',
    permission: 'payment.cancel',
    // In live mode the provider may report that it is already paid.
    reads: ['payment', 'paymentLink', 'provider-event'],
    changes: ['payment.end'],
    provider: true,
    body: v.strictObject({ payment_id: v.optional(v.string()) }),
    bodyId: 'payment_id',
    success: { status: 200, name: 'CanceledPayment', schema: canceledPaymentResponse },
    errors: ['payment_not_found', 'invalid_state', 'provider_refused', 'provider_unavailable'],
    example: {},
  },
  markPaymentHandled: {
    ...WRITE,
    id: 'payments.MarkPaymentHandled',
    path: '/api/v1/payments/{id}/handled',
    permission: 'refund.request',
    reads: ['payment'],
    changes: ['payment-note'],
    body: v.strictObject({ note: v.optional(handledNote) }),
    success: { status: 200, name: 'Payment', schema: paymentResponse },
    errors: ['payment_not_found'],
    example: { note: 'Shipped after a call with the payer' },
  },
  getPayment: {
    ...READ,
    id: 'payments.GetPayment',
    path: '/api/v1/payments/{id}',
    permission: 'payment.read',
    reads: ['payment'],
    success: { status: 200, name: 'Payment', schema: paymentResponse },
    errors: ['payment_not_found'],
  },
  listPayments: {
    ...READ,
    id: 'payments.ListPayments',
    path: '/api/v1/payments',
    permission: 'payment.read',
    reads: ['payments'],
    query: v.strictObject({
      ...resourceQuery,
      status: v.optional(status),
      method: v.optional(method),
      reference: v.optional(reference),
      reference_prefix: v.optional(referencePrefix),
      number: v.optional(soughtId),
      amount_minor: v.optional(minorInQuery),
      customer_email: v.optional(emailInQuery),
    }),
    checkQuery: checkQueryDays('created_from'),
    success: { status: 200, name: 'PaymentPage', schema: pageOf(paymentResponse) },
  },
} as const satisfies Record<string, Operation>;

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
  viewer: Viewer,
): v.InferInput<typeof canceledPaymentResponse> {
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
    failure_code: payment.failureCode ?? null,
    handled_at: optionalTimestamp(payment.handled?.atMs ?? null),
    handled_note: payment.handled?.note ?? null,
    late: payment.late,
    metadata: payment.metadata,
    method: payment.method,
    mode,
    next_action: payment.status === 'requires_action' ? viewNextAction(payment) : null,
    received: viewReceived(payment),
    reference: payment.reference,
    refunded_minor: payment.refundedMinor,
    ...(payment.isRehearsal && { rehearsal: true }),
    payment_link_id: payment.linkId ?? null,
    return_url: payment.returnUrl,
    status: payment.status,
    status_history: viewHistory(payment),
    succeeded_at: optionalTimestamp(payment.succeededAtMs),
  };
}

/** A succeeded payment has received exactly its `amount`. */
function viewReceived({ status, received }: Payment) {
  return received === undefined || status === 'succeeded' ? null : viewMoney(received);
}

function viewNextAction(payment: Payment): PaymentView['next_action'] {
  const action = payment.attempt?.nextAction;
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
