import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { eventBody } from '../../shared/contract/events.ts';
import { operations } from '../../shared/contract/operations.ts';
import { viewPaymentLink } from '../../shared/contract/payment-links.ts';
import { viewCanceledPayment, viewPayment } from '../../shared/contract/payments.ts';
import { viewRefund } from '../../shared/contract/refunds.ts';
import { PAYMENT_STATUSES } from '../../shared/domain/payment.ts';
import type { PaymentMethod } from '../../shared/domain/payment-method.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import {
  aPaidPayment,
  aPayment,
  aPaymentLink,
  aRefund,
  aWorld,
  CREATED_AT_MS,
} from '../support/world/entities.ts';
import { newPaymentWithAttempt } from '../support/world/new-payment.ts';

/** The fields that clients have relied on since the first version: later fields may be added beside them. */
const PAYMENT = `id number amount checkout_url created_at customer_email customer_name customer_phone description
  expires_at late metadata method mode next_action reference refunded_minor return_url status succeeded_at`;
const REFUND = 'id number payment_id amount reason reason_code created_at succeeded_at status';
const PAYMENT_LINK = `id number code amount amount_type min_amount max_amount currency collect_email collect_name
  collect_phone created_at description expires_at max_uses uses metadata mode return_url status`;
const fields = (names: string) => names.split(/\s+/);

const world = aWorld();
const reader = { permissions: ['payment.read'] };
const full = aPaidPayment({
  method: 'promptpay',
  checkoutUrl: 'https://pay.example/checkout/t',
  reference: 'order-1',
  description: 'tickets',
  customer: { email: 'a@example.com', name: 'Somchai', phone: '+66812345678' },
  clientIp: '203.0.113.7',
  metadata: { cart: 'c' },
  returnUrl: 'https://shop.example/back',
  late: true,
  refundedMinor: 500,
});

describe('a payment on the wire', () => {
  it('has every field of the first version, and null for what was not given', () => {
    expect(Object.keys(viewPayment(world, aPayment()))).toEqual(expect.arrayContaining(fields(PAYMENT)));
    expect(viewPayment(world, aPayment())).toMatchObject({
      checkout_url: null,
      customer_email: null,
      customer_name: null,
      customer_phone: null,
      description: null,
      method: null,
      next_action: null,
      reference: null,
      return_url: null,
      succeeded_at: null,
      metadata: {},
    });
  });

  it('shows its data, with times in RFC 3339 and amounts in minor units', () => {
    expect(viewPayment(world, full)).toMatchObject({
      id: 'pay_01h455vb4pex5vsknk084sn02q',
      number: 'P-000001',
      amount: { currency: 'THB', minor: 10_000 },
      checkout_url: 'https://pay.example/checkout/t',
      created_at: '2026-11-02T03:04:05.678Z',
      customer_email: 'a@example.com',
      customer_name: 'Somchai',
      customer_phone: '+66812345678',
      description: 'tickets',
      expires_at: '2026-11-02T03:19:05.678Z',
      late: true,
      metadata: { cart: 'c' },
      method: 'promptpay',
      mode: 'test',
      reference: 'order-1',
      refunded_minor: 500,
      return_url: 'https://shop.example/back',
      status: 'succeeded',
      succeeded_at: '2026-11-02T03:05:05.678Z',
    });
  });

  it('shows the mode in which it was created', () => {
    expect(viewPayment({ mode: 'live' }, full).mode).toBe('live');
  });

  it("hides the payer's address, the page secret, an unrequested page and the version", () => {
    for (const view of [viewPayment(world, full), viewCanceledPayment(world, full, reader)]) {
      expect(JSON.stringify(view)).not.toContain('203.0.113.7');
      expect(JSON.stringify(view)).not.toContain(full.pageSecret);
      expect(JSON.stringify(view)).not.toContain(full.pageUrl);
      expect(view).not.toHaveProperty('version');
    }
  });

  it('nests the customer only in the response to a cancellation', () => {
    const canceled = viewCanceledPayment(world, aPayment({ ...full, status: 'canceled' }), reader);
    const flat = fields(PAYMENT).filter((name) => !name.startsWith('customer_'));
    expect(Object.keys(canceled)).toEqual(expect.arrayContaining([...flat, 'customer']));
    expect(Object.keys(canceled).filter((name) => name.startsWith('customer_'))).toEqual([]);
    expect(canceled.customer).toEqual({ email: 'a@example.com', name: 'Somchai', phone: '+66812345678' });
  });
});

describe('the next action of a payment', () => {
  const baseUrl = 'https://pay.example';
  const page = /^https:\/\/pay\.example\/checkout\/[0-9A-Za-z]+$/;
  const opened = (method?: PaymentMethod) => {
    const opening = { world, number: 'P-000001', baseUrl, nowMs: CREATED_AT_MS };
    const order = { amount: { currency: 'THB', minor: 10_010 }, method, expiresInMinutes: 15 } as const;
    return afterOf(newPaymentWithAttempt(opening, order));
  };
  const expires_at = '2026-11-02T03:19:05.678Z';

  it('by PromptPay is a QR to show', () => {
    expect(viewPayment(world, opened('promptpay')).next_action).toEqual({
      type: 'display_qr',
      qr: {
        payload: expect.stringMatching(/^000201.*5406100\.10.*6304[0-9A-F]{4}$/),
        image_svg_url: expect.stringMatching(/^https:\/\/pay\.example\/checkout\/[0-9A-Za-z]+\/qr\.svg$/),
      },
      expires_at,
    });
  });

  it.each(['truemoney', 'linepay', 'shopeepay', 'direct_debit', 'installment'] as const)(
    'by %s is an address to send the payer to',
    (method) => {
      const step = new RegExp(page.source.replace('$', '\\?step=provider$'));
      const action = { type: 'redirect', url: expect.stringMatching(step), expires_at };
      expect(viewPayment(world, opened(method)).next_action).toEqual(action);
    },
  );

  it('by bank transfer is an account, a reference and the amount', () => {
    expect(viewPayment(world, opened('bank_transfer')).next_action).toEqual({
      type: 'bank_transfer',
      bank_code: expect.stringMatching(/^\d{3}$/),
      account_number: expect.stringMatching(/^\d{10}$/),
      account_name: expect.stringMatching(/./),
      reference: 'P-000001',
      amount: { currency: 'THB', minor: 10_010 },
      expires_at,
    });
  });

  it('is null before a method is known', () => {
    expect(viewPayment(world, opened())).toMatchObject({ status: 'created', next_action: null });
  });

  it.each(PAYMENT_STATUSES.filter((status) => status !== 'requires_action'))(
    'is null once the payment is %s',
    (status) => {
      const payment = { ...opened('promptpay'), status };
      expect(viewPayment(world, payment).next_action).toBeNull();
      expect(viewCanceledPayment(world, payment, reader).next_action).toBeNull();
    },
  );
});

describe('a refund on the wire', () => {
  it('has every field of the first version', () => {
    expect(Object.keys(viewRefund(world, aRefund()))).toEqual(expect.arrayContaining(fields(REFUND)));
  });

  it('shows its data', () => {
    const refund = aRefund({
      status: 'succeeded',
      reason: 'broken',
      reasonCode: 5,
      succeededAtMs: CREATED_AT_MS + 1,
    });
    expect(viewRefund(world, refund)).toMatchObject({
      id: 'ref_01h455vb4pex5vsknk084sn02q',
      number: 'R-000001',
      payment_id: 'pay_01h455vb4pex5vsknk084sn02q',
      amount: { currency: 'THB', minor: 2_500 },
      reason: 'broken',
      reason_code: 5,
      created_at: '2026-11-02T03:04:05.678Z',
      succeeded_at: '2026-11-02T03:04:05.679Z',
      status: 'succeeded',
    });
  });
});

describe('a payment link on the wire', () => {
  it('has every field of the first version', () => {
    const view = viewPaymentLink(world, aPaymentLink());
    expect(Object.keys(view)).toEqual(expect.arrayContaining(fields(PAYMENT_LINK)));
  });

  it('flattens the amount and what is collected', () => {
    const link = aPaymentLink({
      amountType: 'open',
      amount: null,
      minAmount: { currency: 'THB', minor: 1 },
      maxAmount: { currency: 'THB', minor: 9 },
      collect: { email: 'required', name: 'optional', phone: 'off' },
      expiresAtMs: CREATED_AT_MS,
      maxUses: 3,
      uses: 2,
    });
    expect(viewPaymentLink(world, link)).toMatchObject({
      amount: null,
      amount_type: 'open',
      min_amount: { currency: 'THB', minor: 1 },
      max_amount: { currency: 'THB', minor: 9 },
      currency: 'THB',
      collect_email: 'required',
      collect_name: 'optional',
      collect_phone: 'off',
      expires_at: '2026-11-02T03:04:05.678Z',
      max_uses: 3,
      uses: 2,
      mode: 'test',
      status: 'active',
    });
  });
});

describe('an event on the wire', () => {
  const published = {
    resourceId: full.id,
    occurredAtMs: CREATED_AT_MS,
    previousStatus: null,
    request: { id: null, idempotencyKey: null },
  };
  const object = viewPayment(world, full);

  it('has the resource that its type names', () => {
    const id = 'evt_01h455vb4pex5vsknk084sn02q';
    const body = eventBody(world, { ...published, type: 'payment.succeeded', object }, id, 7);
    expect(v.parse(operations.getEvent.success.schema, JSON.parse(body)).data.object).toEqual(object);
    // @ts-expect-error a refund is not a payment
    eventBody(world, { ...published, type: 'refund.succeeded', object }, id, 7);
  });
});

describe('every view', () => {
  const { createPayment, cancelPayment, requestRefund, createPaymentLink } = operations;

  it.each([
    ['payment', createPayment, viewPayment(world, aPayment())],
    ['full payment', createPayment, viewPayment(world, full)],
    ['canceled payment', cancelPayment, viewCanceledPayment(world, full, reader)],
    ['refund', requestRefund, viewRefund(world, aRefund())],
    ['payment link', createPaymentLink, viewPaymentLink(world, aPaymentLink())],
  ])('of a %s has the response schema of its operations, and no more', (_name, row, view) => {
    expect(v.parse(row.success.schema, view)).toEqual(view);
  });
});
