import { describe, expect, it } from 'vitest';
import {
  applyPaymentOutcome,
  canChooseMethod,
  cancelPayment,
  createPayment,
  EXPIRES_IN_MINUTES_MAX,
  joinPaymentChanges,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentAttempt,
  type PaymentInput,
  paymentAsOf,
  paymentMachine,
  requireAction,
  usesChangedBy,
  whenPaymentIsDue,
} from '../../shared/domain/payment.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { afterOf, type Consequence } from '../../shared/domain/resource-change.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { reachableFrom, readLife, statesAllowing, take } from '../support/tools/life-table.ts';
import { aPayment, became, CREATED_AT_MS } from '../support/world/entities.ts';

/** Contract §5. `hold` is the outcome "pending". */
const LIFE = readLife(`
                  requireAction   hold        succeed    fail    mismatch    cancel    expire
  created         requires_action  processing  succeeded  failed  processing  canceled  expired
  requires_action requires_action  processing  succeeded  failed  processing  canceled  expired
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

function create(order: Partial<PaymentInput> = {}) {
  const identity = {
    id: aPayment().id,
    number: 'P-000001',
    pageSecret: 's',
    pageUrl: PAGE,
  };
  return afterOf(createPayment(identity, { amount: { currency: 'THB', minor: 129_900 }, ...order }, NOW));
}

const attempt: PaymentAttempt = {
  id: 'att_01h455vb4pex5vsknk084sn02q',
  method: 'truemoney',
  nextAction: { type: 'redirect', url: PAGE },
  createdAtMs: NOW,
};

describe('the life of a payment', () => {
  it('has seven statuses and no others', () => {
    const statuses = 'created requires_action failed processing succeeded expired canceled'.split(' ');
    expect([...PAYMENT_STATUSES].toSorted()).toEqual(statuses.toSorted());
    expect(Object.keys(paymentMachine).toSorted()).toEqual(statuses.toSorted());
  });

  it.each(LIFE.filter(({ to }) => to !== null))('goes from $from by $command to $to', (step) => {
    expect(take(paymentMachine, step)).toBe(step.to);
  });

  it.each(LIFE.filter(({ to }) => to === null))('refuses to $command a payment that is $from', (step) => {
    const { details } = problemOf(() => take(paymentMachine, step), 'invalid_state');
    expect(details.current_status).toBe(step.from);
    expect(details.allowed_from.toSorted()).toEqual(statesAllowing(LIFE, step.command).toSorted());
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

  it('has the final states succeeded and failed', () => {
    expect([paymentMachine.succeeded, paymentMachine.failed]).toEqual([{}, {}]);
  });

  it('enters the history once for each status, oldest first', () => {
    const made = create();
    const pending = afterOf(requireAction(made, attempt, NOW));
    const held = afterOf(applyPaymentOutcome(pending, 'mismatch', NOW + 1));
    const again = afterOf(applyPaymentOutcome(held, 'mismatch', NOW + 2));
    expect(afterOf(applyPaymentOutcome(again, 'succeeded', NOW + 3)).statusHistory).toEqual([
      { status: 'created', atMs: NOW },
      { status: 'requires_action', atMs: NOW },
      { status: 'processing', atMs: NOW + 1 },
      { status: 'succeeded', atMs: NOW + 3 },
    ]);
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
  ] as const)('gives the payer of %s %i minutes by default', (method, minutes) => {
    expect(create({ method }).expiresAtMs).toBe(NOW + minutes * MINUTE_MS);
  });

  it.each([1, 30, 43_200])('gives the payer the requested %i minutes', (minutes) => {
    expect(create({ method: 'promptpay', expiresInMinutes: minutes }).expiresAtMs).toBe(
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
  ] as const)('has a checkout page if one is requested or no method is known: $order', ({ order, url }) => {
    expect(create(order)).toMatchObject({ checkoutUrl: url, pageUrl: PAGE });
  });

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

  it('has null, or an empty value, for everything that was left out', () => {
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
      clientIp: '203.0.113.7',
      metadata: { cart: 'c', paid: true, count: 2, none: null },
      returnUrl: 'https://shop.example/back',
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

describe('canceling', () => {
  it.each(['created', 'requires_action'] as const)(
    'ends a payment that is %s and not paid, with an event',
    (status) => {
      const payment = aPayment({ status, version: 4 });
      const after = became(payment, 'canceled', NOW + 5);
      expect(cancelPayment(payment, NOW + 5).steps).toEqual([
        { event: 'payment.canceled', previousStatus: status, after },
      ]);
    },
  );

  it('is refused while money may be in flight', () => {
    expect(problemOf(() => cancelPayment(aPayment({ status: 'processing' }), NOW)).details).toEqual({
      current_status: 'processing',
      allowed_from: ['created', 'requires_action'],
    });
  });

  it('does not change the payment that it was given', () => {
    const payment = Object.freeze(aPayment());
    cancelPayment(payment, NOW);
    expect(payment).toEqual(aPayment());
  });

  it('never lets the time of a payment run backwards', () => {
    const payment = aPayment({ updatedAtMs: NOW + 1_000 });
    expect(afterOf(cancelPayment(payment, NOW)).updatedAtMs).toBe(NOW + 1_000);
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
    'does not touch a payment that is %s, and is not recorded for it',
    (status) => {
      const settled = aPayment({ status });
      expect(paymentAsOf(settled, edge + 1)).toBe(settled);
      expect(whenPaymentIsDue(settled, edge)).toEqual([]);
    },
  );

  it.each(['created', 'requires_action'] as const)(
    'is recorded once, with one event, for a payment that is %s, as of its due instant',
    (status) => {
      const due = aPayment({ status, version: 3 });
      const after = became(due, 'expired', edge);
      const [expired] = whenPaymentIsDue(due, edge + 60_000);
      expect(expired?.steps).toEqual([{ event: 'payment.expired', previousStatus: status, after }]);
      expect(whenPaymentIsDue(after, edge + 60_000)).toEqual([]);
    },
  );

  it('is not recorded a millisecond early: a method may have given more time', () => {
    expect(whenPaymentIsDue(payment, edge - 1)).toEqual([]);
  });

  it('is seen by a command before anything has recorded it', () => {
    expect(afterOf(cancelPayment(payment, edge - 1)).status).toBe('canceled');
    expect(problemOf(() => cancelPayment(payment, edge)).details).toMatchObject({
      current_status: 'expired',
    });
  });

  it.each(PAYMENT_METHODS)('applies to %s as to all methods', (method) => {
    const made = create({ method });
    expect(paymentAsOf(made, made.expiresAtMs - 1).status).toBe('created');
    expect(paymentAsOf(made, made.expiresAtMs).status).toBe('expired');
  });
});

describe('choosing a method', () => {
  const by = (method: PaymentAttempt['method']) => ({ ...attempt, method });
  const fromLink = (changes: Partial<Payment> = {}) =>
    aPayment({ linkId: 'lnk_01h455vb4pex5vsknk084sn02q', isMethodOpen: true, ...changes });

  it('starts an attempt by which the payer can pay, with its event', () => {
    const after = became(aPayment({ method: 'truemoney', attempt }), 'requires_action', NOW + 1);
    expect(requireAction(aPayment(), attempt, NOW + 1).steps).toEqual([
      { event: 'payment.requires_action', previousStatus: 'created', after },
    ]);
  });

  it('is refused once there is an attempt', () => {
    const payment = afterOf(requireAction(aPayment(), attempt, NOW));
    const problem = problemOf(() => requireAction(payment, attempt, NOW));
    expect(problem.detail).toMatch(/^It is requires_action\. Require action works from /);
    expect(problem.details).toEqual({
      current_status: 'requires_action',
      allowed_from: ['created', 'requires_action'],
    });
  });

  it('is refused again where the merchant has named the method', () => {
    const after = afterOf(requireAction(create({ method: 'truemoney' }), attempt, NOW));
    expect(problemOf(() => requireAction(after, by('linepay'), NOW)).code).toBe('invalid_state');
    expect(canChooseMethod(after)).toBe(false);
  });

  it('can be repeated if the merchant named none, with another event', () => {
    const after = afterOf(requireAction(create(), attempt, NOW));
    expect(canChooseMethod(after)).toBe(true);
    expect(requireAction(after, by('linepay'), NOW + 1).steps).toMatchObject([
      {
        event: 'payment.requires_action',
        previousStatus: 'requires_action',
        after: { status: 'requires_action', method: 'linepay', attempt: { method: 'linepay' }, version: 3 },
      },
    ]);
  });

  it('has a limit, so that payers cannot fill the list of events with it', () => {
    let payment = create();
    let choices = 0;
    while (canChooseMethod(payment)) {
      payment = afterOf(requireAction(payment, attempt, NOW));
      choices += 1;
    }
    expect(choices).toBe(10);
    expect(problemOf(() => requireAction(payment, attempt, NOW)).code).toBe('invalid_state');
  });

  it('is counted by itself: a change for another reason costs none', () => {
    const otherwise = (payment: Payment) => ({ ...payment, version: payment.version + 20 });
    let payment = otherwise(create());
    let choices = 0;
    while (canChooseMethod(payment)) {
      payment = otherwise(afterOf(requireAction(payment, attempt, NOW)));
      choices += 1;
    }
    expect([choices, payment.choices]).toEqual([10, 10]);
  });

  it('keeps the expiry that the merchant has set', () => {
    for (const order of [{}, { expiresInMinutes: 5 }]) {
      const payment = create(order);
      const after = afterOf(requireAction(payment, by('bank_transfer'), NOW + MINUTE_MS));
      expect(after.expiresAtMs).toBe(payment.expiresAtMs);
    }
  });

  it.each([
    ['promptpay', 15],
    ['installment', 60],
    ['bank_transfer', 1_440],
  ] as const)('of a link gives %s its own %i minutes from then on', (method, minutes) => {
    const atMs = NOW + 14 * MINUTE_MS;
    const after = afterOf(requireAction(fromLink(), by(method), atMs));
    expect(after.expiresAtMs).toBe(atMs + minutes * MINUTE_MS);
  });

  it('of a link never shortens the time, because money may be in flight', () => {
    const after = afterOf(requireAction(fromLink(), by('bank_transfer'), NOW));
    expect(afterOf(requireAction(after, by('promptpay'), NOW + 1)).expiresAtMs).toBe(after.expiresAtMs);
  });

  it('of a link again and again holds its use no longer than the first choice could', () => {
    let payment = fromLink();
    const latest = NOW + (15 + 1_440) * MINUTE_MS;
    for (let atMs = NOW; canChooseMethod(payment) && atMs < payment.expiresAtMs; atMs += 300 * MINUTE_MS) {
      payment = afterOf(requireAction(payment, by('bank_transfer'), atMs));
    }
    expect(payment.expiresAtMs).toBe(latest);
  });
});

describe('the effects of a change of a payment', () => {
  const uses = (change: { readonly consequences: readonly Consequence[] }) =>
    change.consequences.flatMap((one) =>
      one.kind === 'link-use' ? [[one.uses, one.taken, one.newPaymentId !== null]] : [],
    );
  const paid = (change: { readonly consequences: readonly Consequence[] }) =>
    change.consequences.filter(({ kind }) => kind === 'balance').length;

  it.each([
    ['canceled', (payment: Payment) => cancelPayment(payment, NOW), [0, -1, false]],
    ['failed', (payment: Payment) => applyPaymentOutcome(payment, 'failed', NOW), [0, -1, false]],
    ['paid', (payment: Payment) => applyPaymentOutcome(payment, 'succeeded', NOW), [1, 0, false]],
  ] as const)('give a use of its link back, or count it, when it is %s', (_how, change, expected) => {
    expect(uses(change(aPayment({ linkId: 'lnk_1' })))).toEqual([expected]);
    expect(uses(change(aPayment({ linkId: null })))).toEqual([]);
  });

  it('take a use of its link when it is created, and none while it goes on', () => {
    const link = { id: 'lnk_1', code: 'c' };
    const identity = { id: aPayment().id, number: 'P-000001', pageSecret: 's', pageUrl: PAGE, link };
    const created = createPayment(identity, { amount: SATANG }, NOW);
    expect(uses(created)).toEqual([[0, 1, true]]);
    expect(uses(applyPaymentOutcome(afterOf(created), 'pending', NOW))).toEqual([]);
  });

  it('add its money to the balance once: when it is paid', () => {
    const payment = aPayment();
    expect(paid(applyPaymentOutcome(payment, 'pending', NOW))).toBe(0);
    const success = applyPaymentOutcome(payment, 'succeeded', NOW);
    expect(paid(success)).toBe(1);
    // A further step of a paid payment, joined to a change that begins after its success.
    const again = { ...success, before: afterOf(success) };
    expect(paid(joinPaymentChanges(again, success))).toBe(0);
    expect(paid(joinPaymentChanges({ ...success, before: null }, success))).toBe(1);
  });

  it('count it by its method, where it has one', () => {
    const ofMethod = (method: Payment['method']) =>
      applyPaymentOutcome(aPayment({ method }), 'succeeded', NOW).consequences.find(
        ({ kind }) => kind === 'balance',
      );
    const balance = { kind: 'balance', atMs: NOW, amount: aPayment().amount };
    expect(ofMethod('linepay')).toStrictEqual({ ...balance, countedAs: 'linepay' });
    expect(ofMethod(null)).toStrictEqual(balance);
  });

  it('leave the uses of its link as they are where its status stays', () => {
    for (const status of PAYMENT_STATUSES) {
      expect(usesChangedBy(status, status)).toEqual({ uses: 0, taken: 0 });
    }
  });
});

describe('a payment at a live provider', () => {
  const live = { ...attempt, reference: 'pi_1' };
  const lookUps = ({ consequences }: { readonly consequences: readonly Consequence[] }) =>
    consequences.flatMap((one) =>
      one.kind === 'job' && one.job.kind === 'look-up-payment' ? [one.job.dueAtMs] : [],
    );
  const waiting = afterOf(requireAction(aPayment({ isMethodOpen: true }), live, NOW));

  it('is looked up after another status and after another attempt', () => {
    const payment = aPayment({ isMethodOpen: true });
    expect(lookUps(requireAction(payment, live, NOW))).toEqual([NOW + 30_000]);
    const another = { ...live, id: 'att_2', createdAtMs: NOW + 5 };
    expect(lookUps(requireAction(waiting, another, NOW + 5))).toEqual([NOW + 5 + 30_000]);
    expect(lookUps(applyPaymentOutcome(waiting, 'pending', NOW))).toEqual([NOW + 60 * MINUTE_MS]);
    expect(lookUps(cancelPayment(waiting, NOW))).toEqual([NOW + 24 * 60 * MINUTE_MS]);
  });

  it('is not looked up once more where neither has changed', () => {
    const held = afterOf(applyPaymentOutcome(waiting, 'mismatch', NOW));
    expect(applyPaymentOutcome(held, 'mismatch', NOW + 1).consequences).toEqual([]);
  });
});
