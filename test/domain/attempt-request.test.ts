import { describe, expect, it } from 'vitest';
import {
  ABANDONED_AFTER_MS,
  abandonedAttemptJob,
  attemptRequestOf,
  providerAttemptOf,
  startAttempt,
} from '../../shared/domain/attempt-request.ts';
import { derivedId, isId } from '../../shared/domain/id.ts';
import { newPayment, paymentIdsFrom } from '../../shared/domain/new-payment.ts';
import {
  derivedPageSecret,
  formatPageToken,
  parsePageToken,
  qrAddressOf,
} from '../../shared/domain/page-token.ts';
import type { Payment, PaymentInput } from '../../shared/domain/payment.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../../shared/domain/payment-method.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { aWorld, CREATED_AT_MS } from '../support/world/entities.ts';
import { newPaymentWithAttempt, requestStartAt } from '../support/world/new-payment.ts';

const world = aWorld();
const opening = { world, number: 'P-000007', baseUrl: 'https://pay.example', nowMs: CREATED_AT_MS };
const AMOUNT = { currency: 'THB', minor: 10_010 } as const;

function open(order: Partial<PaymentInput> = {}) {
  const change = newPaymentWithAttempt(opening, { amount: AMOUNT, ...order });
  return { steps: change.steps, payment: afterOf(change) };
}

function choose(payment: Payment, method: PaymentMethod, nowMs: number) {
  const nextAction = { type: 'redirect', url: 'https://wallet.example' } as const;
  return startAttempt(payment, attemptRequestOf(payment, method, nowMs), { nextAction }, nowMs);
}

describe('creating a payment', () => {
  it('without a method is one step: created, with a checkout page and nothing to do yet', () => {
    const { steps, payment } = open();
    expect(steps).toEqual([{ event: 'payment.created', previousStatus: null, after: payment }]);
    expect(payment).toMatchObject({ status: 'created', method: null, attempt: null, number: 'P-000007' });
    expect(payment.checkoutUrl).toMatch(/^https:\/\/pay\.example\/checkout\/[0-9A-Za-z]+$/);
  });

  it.each(PAYMENT_METHODS)('with %s is two steps of one payment: created, then requires_action', (method) => {
    const { steps, payment } = open({ method });
    expect(steps).toMatchObject([
      { event: 'payment.created', previousStatus: null, after: { status: 'created', version: 1 } },
      {
        event: 'payment.requires_action',
        previousStatus: 'created',
        after: { status: 'requires_action', version: 2 },
      },
    ]);
    expect(new Set(steps.map(({ after }) => after.id)).size).toBe(1);
    expect(payment).toMatchObject({ method, attempt: { method, createdAtMs: CREATED_AT_MS } });
  });

  it('gives the payment and its attempt ids of their kind', () => {
    const { payment } = open({ method: 'linepay' });
    expect(isId('pay', payment.id)).toBe(true);
    expect(isId('att', payment.attempt?.id ?? '')).toBe(true);
  });

  it('puts the location of the payment and its secret into the address of its page', () => {
    const { payment } = open();
    expect(parsePageToken(payment.checkoutUrl?.split('/').at(-1) ?? '')).toEqual({
      worldId: world.id,
      paymentId: payment.id,
      secret: payment.pageSecret,
    });
  });

  it('gives no two payments the same page', () => {
    expect(new Set(Array.from({ length: 100 }, () => open().payment.checkoutUrl)).size).toBe(100);
  });

  it.each([undefined, true])(
    'sends the payer to the page, with a checkout URL for the merchant (%s) or without',
    (checkout) => {
      const { payment } = open({ method: 'truemoney', checkout });
      const token = formatPageToken({ worldId: world.id, paymentId: payment.id, secret: payment.pageSecret });
      const page = `https://pay.example/checkout/${token}`;
      expect(payment.attempt?.nextAction).toEqual({ type: 'redirect', url: `${page}?step=provider` });
      expect(payment.pageUrl).toBe(page);
      expect(payment.checkoutUrl).toBe(checkout ? page : null);
    },
  );

  it('repeats the same attempt request from the same start, but for the number', () => {
    const ask = (number: string) => {
      const ids = paymentIdsFrom(requestStartAt(CREATED_AT_MS, 'known to the claim'));
      const opened = newPayment({ ...opening, number, ids }, { amount: AMOUNT, method: 'linepay' });
      return attemptRequestOf(afterOf(opened), 'linepay', CREATED_AT_MS);
    };
    expect(ask('P-000008')).toEqual({ ...ask('P-000007'), number: 'P-000008' });
  });

  it('gives the page an address that the id and the time do not reveal', () => {
    const [one, two] = ['one', 'two'].map((secret) => paymentIdsFrom(requestStartAt(CREATED_AT_MS, secret)));
    expect(one?.id).not.toBe(two?.id);
    expect(one?.pageSecret).not.toBe(two?.pageSecret);
    expect(one?.pageSecret).toMatch(/^[0-9A-Za-z]{22}$/);
  });
});

describe('choosing a method later', () => {
  const { payment } = open();
  const laterMs = CREATED_AT_MS + 1_000;

  it.each(PAYMENT_METHODS)('starts an attempt by %s at that time, with its event', (method) => {
    const after = {
      id: payment.id,
      status: 'requires_action',
      method,
      attempt: { id: expect.stringMatching(/^att_/), method, createdAtMs: laterMs },
      updatedAtMs: laterMs,
    };
    expect(choose(payment, method, laterMs).steps).toMatchObject([
      { event: 'payment.requires_action', previousStatus: 'created', after },
    ]);
  });

  it('requests the same attempt each time, and another one once the payment has changed', () => {
    const first = attemptRequestOf(payment, 'promptpay', laterMs);
    expect(attemptRequestOf(payment, 'promptpay', laterMs + 1)).toEqual(first);
    expect(attemptRequestOf(payment, 'truemoney', laterMs).attemptId).not.toBe(first.attemptId);
    const corrected = { ...payment, customer: { ...payment.customer, email: 'other@example.com' } };
    expect(attemptRequestOf(corrected, 'promptpay', laterMs).attemptId).not.toBe(first.attemptId);
    const after = afterOf(choose(payment, 'promptpay', laterMs));
    expect(attemptRequestOf(after, 'promptpay', laterMs).attemptId).not.toBe(first.attemptId);
  });

  it('requests the same attempt after a change for another reason, and no two choices share one', () => {
    const otherwise = (one: Payment, nowMs: number) => ({
      ...one,
      version: one.version + 1,
      updatedAtMs: nowMs,
    });
    const ids: string[] = [];
    let current = payment;
    // All at one instant, and back and forth between two methods.
    for (const method of ['promptpay', 'truemoney', 'promptpay', 'truemoney', 'promptpay'] as const) {
      const asked = attemptRequestOf(current, method, laterMs);
      expect(attemptRequestOf(otherwise(current, laterMs + 5), method, laterMs + 9)).toEqual(asked);
      ids.push(asked.attemptId);
      current = otherwise(afterOf(choose(current, method, laterMs)), laterMs);
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([payment.pageUrl, null])(
    "shows PromptPay's QR on the payer's page, with or without a checkout URL (%#)",
    (checkoutUrl) => {
      const { pages } = attemptRequestOf({ ...payment, checkoutUrl }, 'promptpay', laterMs);
      expect(pages.qrSvgUrl).toBe(qrAddressOf(payment));
    },
  );

  it('is refused if the merchant has named one', () => {
    const chosen = open({ method: 'promptpay' }).payment;
    const act = () => choose(chosen, 'truemoney', laterMs);
    expect(problemOf(act)).toMatchObject({ code: 'invalid_state', status: 409 });
  });
});

describe('an attempt at a provider', () => {
  const payment = { ...open().payment, customer: { email: null, name: null, phone: null } };
  const account = { kind: 'stripe', account: 'acct_1', isTest: true };
  const nextAction = { type: 'redirect', url: 'https://wallet.example' } as const;
  const start = (known: { reference?: string; account?: typeof account }) => {
    const request = attemptRequestOf(payment, 'linepay', CREATED_AT_MS);
    return afterOf(startAttempt(payment, request, { nextAction, ...known }, CREATED_AT_MS + 5));
  };
  const pages = { checkoutUrl: payment.pageUrl, qrSvgUrl: qrAddressOf(payment) };

  it.each([
    [null, ''],
    ['payer@example.com', 'payer@example.com'],
  ])('keeps its id from release to release, since a retry derives it again (%s)', (email, inId) => {
    const from = { ...payment, customer: { ...payment.customer, email } };
    const derived = (count: number) =>
      derivedId('att', CREATED_AT_MS, `${payment.id} ${count} linepay ${inId}`);
    expect(attemptRequestOf(from, 'linepay', CREATED_AT_MS).attemptId).toBe(derived(1));
    const chosen = { ...from, choices: 2 };
    expect(attemptRequestOf(chosen, 'linepay', CREATED_AT_MS).attemptId).toBe(derived(3));
  });

  it('is known by the reference that the provider gave it, and by its account', () => {
    const attemptId = attemptRequestOf(payment, 'linepay', CREATED_AT_MS).attemptId;
    const known = { paymentId: payment.id, attemptId, reference: 'pi_1', pages };
    const times = { sinceMs: CREATED_AT_MS + 5, untilMs: CREATED_AT_MS + 5 };
    expect(providerAttemptOf(start({ reference: 'pi_1', account }))).toStrictEqual({
      ...known,
      ...times,
      account,
    });
    expect(providerAttemptOf(start({ reference: 'pi_1' }))).toStrictEqual({ ...known, ...times });
  });

  it('is none without such a reference, and none before a method is chosen', () => {
    expect(providerAttemptOf(start({}))).toBeNull();
    expect(providerAttemptOf(payment)).toBeNull();
  });

  it('is canceled half an hour after its request, where its payment is not stored by then', () => {
    expect(ABANDONED_AFTER_MS).toBe(30 * 60_000);
    const { paymentId, attemptId, sinceMs } = attemptRequestOf(payment, 'linepay', CREATED_AT_MS);
    const untilMs = CREATED_AT_MS + 7 + ABANDONED_AFTER_MS;
    const request = attemptRequestOf(payment, 'linepay', CREATED_AT_MS);
    expect(abandonedAttemptJob(request, account, CREATED_AT_MS + 7)).toEqual({
      kind: 'stop-attempt',
      dueAtMs: untilMs,
      sent: { paymentId, attemptId, account, sinceMs, untilMs, pages, reference: null },
    });
  });
});

describe('what is derived from the start of a request', () => {
  const start = requestStartAt(CREATED_AT_MS, 'known to the claim');

  it('stays the same from release to release, since a retry may meet a new one', () => {
    expect(paymentIdsFrom(start)).toEqual({
      id: derivedId('pay', CREATED_AT_MS, 'known to the claim payment'),
      pageSecret: derivedPageSecret('known to the claim', 'page'),
    });
  });

  it('makes a rehearsal only where it is asked for', () => {
    const rehearsal = (isRehearsal?: boolean) =>
      afterOf(
        newPayment(
          { ...opening, ids: paymentIdsFrom(start), ...(isRehearsal !== undefined && { isRehearsal }) },
          { amount: AMOUNT },
        ),
      ).isRehearsal;
    expect([rehearsal(), rehearsal(false), rehearsal(true)]).toEqual([undefined, undefined, true]);
  });
});
