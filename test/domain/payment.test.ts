import { describe, expect, it } from 'vitest';
import {
  cancelPayment,
  createPayment,
  EXPIRES_IN_MINUTES_MAX,
  PAYMENT_STATUSES,
  type PaymentAttempt,
  type PaymentOrder,
  paymentAsOf,
  paymentMachine,
  requireAction,
} from '../../shared/domain/payment.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { aPayment, CREATED_AT_MS } from '../support/entities.ts';
import { reachableFrom, readLife, statesAllowing, take } from '../support/life-table.ts';
import { problemOf } from '../support/thrown-problem.ts';

/** Contract §5. `hold` is the outcome "pending". */
const LIFE = readLife(`
                  require_action   hold        succeed    fail    mismatch    cancel    expire
  created         requires_action  processing  succeeded  failed  processing  canceled  expired
  requires_action -                processing  succeeded  failed  processing  canceled  expired
  processing      -                -           succeeded  failed  processing  -         -
  succeeded       -                -           -          -       -           -         -
  failed          -                -           -          -       -           -         -
  expired         -                -           succeeded  -       -           -         -
  canceled        -                -           succeeded  -       -           -         -
`);

const MINUTE_MS = 60_000;
const NOW = CREATED_AT_MS;
const PAGE = 'https://pay.example/checkout/token';
const SATANG = { currency: 'THB', minor: 1 } as const;

function create(order: Partial<PaymentOrder> = {}) {
  const identity = {
    id: 'pay_01h455vb4pex5vsknk084sn02q',
    number: 'P-000001',
    pageSecret: 's',
    checkoutUrl: PAGE,
  };
  return createPayment(identity, { amount: { currency: 'THB', minor: 129_900 }, ...order }, NOW);
}

const attempt: PaymentAttempt = {
  id: 'att_01h455vb4pex5vsknk084sn02q',
  method: 'truemoney',
  nextAction: { type: 'redirect', url: PAGE },
  createdAtMs: NOW,
};

describe('the life of a payment', () => {
  it('has the statuses of the interface and no others', () => {
    const statuses = 'created requires_action failed processing succeeded expired canceled'.split(' ');
    expect([...PAYMENT_STATUSES].toSorted()).toEqual(statuses.toSorted());
    expect(Object.keys(paymentMachine).toSorted()).toEqual(statuses.toSorted());
  });

  it.each(LIFE.filter(({ to }) => to !== null))('goes from $from by $command to $to', (step) => {
    expect(take(paymentMachine, step)).toBe(step.to);
  });

  it.each(LIFE.filter(({ to }) => to === null))('refuses to $command a payment that is $from', (step) => {
    const problem = problemOf(() => take(paymentMachine, step));
    expect(problem.code).toBe('invalid_state');
    const { current_status, allowed_from } = problem.more.details as { [name: string]: string[] };
    expect(current_status).toBe(step.from);
    expect(allowed_from?.toSorted()).toEqual(statesAllowing(LIFE, step.command).toSorted());
  });

  it('knows no command that is not in the table above', () => {
    const commands = new Set(Object.values(paymentMachine).flatMap((steps) => Object.keys(steps)));
    expect([...commands].toSorted()).toEqual([...new Set(LIFE.map(({ command }) => command))].toSorted());
  });

  it('can reach every status', () => {
    expect([...reachableFrom(paymentMachine, 'created')].toSorted()).toEqual(
      [...PAYMENT_STATUSES].toSorted(),
    );
  });

  it('ends in succeeded and in failed', () => {
    expect([paymentMachine.succeeded, paymentMachine.failed]).toEqual([{}, {}]);
  });
});

describe('a new payment', () => {
  it.each([
    ['promptpay', 15],
    ['truemoney', 20],
    ['linepay', 20],
    ['shopeepay', 20],
    ['direct_debit', 15],
    ['installment', 60],
    ['bank_transfer', 1_440],
    [undefined, 1_440],
  ] as const)('gives the payer of %s %i minutes unless told otherwise', (method, minutes) => {
    expect(create({ method }).expiresAtMs).toBe(NOW + minutes * MINUTE_MS);
  });

  it.each([1, 30, 43_200])('gives the payer the %i minutes that were asked for', (minutes) => {
    expect(create({ method: 'promptpay', expires_in_minutes: minutes }).expiresAtMs).toBe(
      NOW + minutes * MINUTE_MS,
    );
  });

  it('can be given 30 days at most', () => {
    expect(EXPIRES_IN_MINUTES_MAX).toBe(43_200);
  });

  it.each([
    { order: {}, url: PAGE },
    { order: { checkout: false }, url: PAGE },
    { order: { checkout: true }, url: PAGE },
    { order: { method: 'promptpay' }, url: null },
    { order: { method: 'promptpay', checkout: false }, url: null },
    { order: { method: 'promptpay', checkout: true }, url: PAGE },
  ] as const)(
    'has a checkout page where one is asked for or no method is known: $order',
    ({ order, url }) => {
      expect(create(order).checkoutUrl).toBe(url);
    },
  );

  it('waits for a method, has moved no money and can be refunded up to its amount', () => {
    expect(create()).toMatchObject({
      status: 'created',
      version: 1,
      amount: { currency: 'THB', minor: 129_900 },
      method: null,
      attempt: null,
      late: false,
      refundedMinor: 0,
      refundableMinor: 129_900,
      createdAtMs: NOW,
      updatedAtMs: NOW,
      succeededAtMs: null,
    });
  });

  it('has null, or nothing in it, for everything that was left out', () => {
    expect(create()).toMatchObject({
      reference: null,
      description: null,
      customer: { email: null, name: null, phone: null },
      clientIp: null,
      metadata: {},
      returnUrl: null,
    });
  });

  it('keeps everything that was given', () => {
    const payment = create({
      amount: SATANG,
      reference: 'order-1',
      description: 'one',
      customer: { email: 'a@example.com', phone: '+66812345678' },
      client_ip: '203.0.113.7',
      metadata: { cart: 'c', paid: true, count: 2, none: null },
      return_url: 'https://shop.example/back',
    });
    expect(payment).toMatchObject({
      amount: SATANG,
      reference: 'order-1',
      description: 'one',
      customer: { email: 'a@example.com', name: null, phone: '+66812345678' },
      clientIp: '203.0.113.7',
      metadata: { cart: 'c', paid: true, count: 2, none: null },
      returnUrl: 'https://shop.example/back',
    });
  });
});

describe('choosing a method', () => {
  it('begins an attempt by which the payer can pay', () => {
    const payment = requireAction(aPayment(), attempt, NOW + 1);
    expect(payment).toMatchObject({ status: 'requires_action', method: 'truemoney', attempt, version: 2 });
  });

  it('is refused once there is an attempt', () => {
    const payment = requireAction(aPayment(), attempt, NOW);
    expect(problemOf(() => requireAction(payment, attempt, NOW)).code).toBe('invalid_state');
  });
});

describe('canceling', () => {
  it.each(['created', 'requires_action'] as const)('ends a payment that is %s and not paid', (status) => {
    expect(cancelPayment(aPayment({ status, version: 4 }), NOW + 5)).toMatchObject({
      status: 'canceled',
      version: 5,
      updatedAtMs: NOW + 5,
    });
  });

  it('is refused while money may be in flight', () => {
    expect(problemOf(() => cancelPayment(aPayment({ status: 'processing' }), NOW)).more.details).toEqual({
      current_status: 'processing',
      allowed_from: ['created', 'requires_action'],
    });
  });

  it('leaves the payment that it was given as it was', () => {
    const payment = Object.freeze(aPayment());
    cancelPayment(payment, NOW);
    expect(payment).toEqual(aPayment());
  });

  it('never lets the time of a payment run backwards', () => {
    const payment = aPayment({ updatedAtMs: NOW + 1_000 });
    expect(cancelPayment(payment, NOW).updatedAtMs).toBe(NOW + 1_000);
  });
});

describe('expiry', () => {
  const payment = aPayment({ status: 'requires_action' });
  const edge = payment.expiresAtMs;

  it('leaves a payment payable until the last millisecond', () => {
    expect(paymentAsOf(payment, edge - 1)).toBe(payment);
  });

  it.each([0, 1, 365 * 24 * 60 * MINUTE_MS])('shows no payment as payable %i ms after its end', (later) => {
    expect(paymentAsOf(payment, edge + later)).toMatchObject({ status: 'expired', updatedAtMs: edge });
  });

  it('ends a payment whose method was never chosen', () => {
    expect(paymentAsOf(aPayment(), edge).status).toBe('expired');
  });

  it.each(['processing', 'succeeded', 'failed', 'canceled', 'expired'] as const)(
    'does not touch a payment that is %s',
    (status) => {
      const settled = aPayment({ status });
      expect(paymentAsOf(settled, edge + 1)).toBe(settled);
    },
  );

  it('is seen by a command before anything has recorded it', () => {
    expect(problemOf(() => cancelPayment(paymentAsOf(payment, edge), edge)).more.details).toMatchObject({
      current_status: 'expired',
    });
  });

  it.each(PAYMENT_METHODS)('comes for %s as it comes for all methods', (method) => {
    const made = create({ method });
    expect(paymentAsOf(made, made.expiresAtMs - 1).status).toBe('created');
    expect(paymentAsOf(made, made.expiresAtMs).status).toBe('expired');
  });
});
