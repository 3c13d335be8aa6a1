import { describe, expect, it } from 'vitest';
import { isId } from '../../shared/domain/id.ts';
import { lastOf, openPayment } from '../../shared/domain/open-payment.ts';
import { formatPageToken, parsePageToken } from '../../shared/domain/page-token.ts';
import type { PaymentOrder } from '../../shared/domain/payment.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { simulatedProvider } from '../../shared/domain/simulated-provider.ts';
import { aWorld, CREATED_AT_MS } from '../support/entities.ts';

const world = aWorld();
const opening = { world, number: 'P-000007', baseUrl: 'https://pay.example', nowMs: CREATED_AT_MS };

function open(order: Partial<PaymentOrder> = {}) {
  return openPayment(simulatedProvider, opening, { amount: { currency: 'THB', minor: 10_010 }, ...order });
}

describe('opening a payment', () => {
  it('without a method is one step: created, with a checkout page and nothing to do yet', () => {
    const steps = open();
    expect(steps.map(({ status }) => status)).toEqual(['created']);
    expect(lastOf(steps)).toMatchObject({ method: null, attempt: null, number: 'P-000007' });
    expect(lastOf(steps).checkoutUrl).toMatch(/^https:\/\/pay\.example\/checkout\/[0-9A-Za-z]+$/);
  });

  it.each(PAYMENT_METHODS)('with %s is two steps of one payment: created, then requires_action', (method) => {
    const steps = open({ method });
    expect(steps.map(({ status, version }) => `${status} ${version}`)).toEqual([
      'created 1',
      'requires_action 2',
    ]);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(1);
    expect(lastOf(steps)).toMatchObject({ method, attempt: { method, createdAtMs: CREATED_AT_MS } });
  });

  it('gives the payment and its attempt ids of their kind', () => {
    const payment = lastOf(open({ method: 'linepay' }));
    expect(isId('pay', payment.id)).toBe(true);
    expect(isId('att', payment.attempt?.id ?? '')).toBe(true);
  });

  it('puts into the address of the page where the payment is and its secret', () => {
    const payment = lastOf(open());
    expect(parsePageToken(payment.checkoutUrl?.split('/').at(-1) ?? '')).toEqual({
      worldId: world.id,
      paymentId: payment.id,
      secret: payment.pageSecret,
    });
  });

  it('gives no two payments the same page', () => {
    expect(new Set(Array.from({ length: 100 }, () => lastOf(open()).checkoutUrl)).size).toBe(100);
  });

  it.each([undefined, true])(
    'sends the payer to the page, whether the merchant is told of it (%s) or not',
    (checkout) => {
      const payment = lastOf(open({ method: 'truemoney', checkout }));
      const token = formatPageToken({ worldId: world.id, paymentId: payment.id, secret: payment.pageSecret });
      const page = `https://pay.example/checkout/${token}`;
      expect(payment.attempt?.nextAction).toEqual({ type: 'redirect', url: page });
      expect(payment.checkoutUrl).toBe(checkout ? page : null);
    },
  );
});
