import { describe, expect, it } from 'vitest';
import {
  applyPaymentOutcome,
  CHOICES_MAX,
  canChooseMethod,
  canCorrectEmail,
  cancelPayment,
  createPayment,
  hasNoChoiceLeft,
  isExpiryUnseen,
  markHandled,
  type Payment,
  type PaymentAttempt,
  requireAction,
  turnOf,
  withPayersEmail,
} from '../../shared/domain/payment.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import { aPayment, CREATED_AT_MS } from '../support/world/entities.ts';

const NOW = CREATED_AT_MS;
const attempt: PaymentAttempt = {
  id: 'att_01h455vb4pex5vsknk084sn02q',
  method: 'truemoney',
  nextAction: { type: 'redirect', url: 'https://pay.example' },
  createdAtMs: NOW,
};
const identity = {
  id: aPayment().id,
  number: 'P-000001',
  pageSecret: 's',
  pageUrl: 'https://pay.example/checkout/token',
};
const link = { id: 'lnk_1', code: 'abcdefghjk' };
const create = (from: { link?: typeof link; isRehearsal?: boolean }, email?: string) => {
  const customer = email === undefined ? {} : { email };
  return afterOf(createPayment({ ...identity, ...from }, { amount: aPayment().amount, customer }, NOW));
};

describe('a new payment says of itself', () => {
  const plain = create({});
  const email = 'payer@example.com';
  const customer = { ...plain.customer, email };

  it('nothing more, where a merchant makes it', () => {
    expect(Object.keys(plain)).not.toContain('isEmailPayers');
    expect(create({}, email)).toStrictEqual({ ...plain, customer });
    expect(create({ isRehearsal: false })).toStrictEqual(plain);
  });

  it('that it is a rehearsal', () => {
    expect(create({ isRehearsal: true })).toStrictEqual({ ...plain, isRehearsal: true });
  });

  it('which link it is of, and that the payer gave the email', () => {
    const ofLink = { ...plain, linkId: 'lnk_1', linkCode: 'abcdefghjk' };
    expect(create({ link })).toStrictEqual(ofLink);
    expect(create({ link }, email)).toStrictEqual({ ...ofLink, customer, isEmailPayers: true });
  });
});

describe("a payer's email", () => {
  const given = aPayment({ isMethodOpen: true, isEmailPayers: true });

  it('can be corrected while a method can be chosen, and never where the merchant gave it', () => {
    expect(canCorrectEmail(given)).toBe(true);
    expect(canCorrectEmail({ ...given, status: 'requires_action' })).toBe(true);
    expect(canCorrectEmail({ ...given, status: 'processing' })).toBe(false);
    expect(canCorrectEmail(aPayment({ isMethodOpen: true }))).toBe(false);
  });

  it('is kept as one that the payer gave, and nothing else changes', () => {
    const customer = { email: null, name: 'Somchai', phone: null };
    const payment = aPayment({ customer });
    expect(withPayersEmail(payment, 'payer@example.com')).toStrictEqual({
      ...payment,
      customer: { ...customer, email: 'payer@example.com' },
      isEmailPayers: true,
    });
  });
});

describe('a method', () => {
  it.each(['processing', 'succeeded', 'failed', 'expired', 'canceled'] as const)(
    'cannot be chosen for a payment that is %s',
    (status) => {
      expect(canChooseMethod(aPayment({ status, isMethodOpen: true }))).toBe(false);
      expect(hasNoChoiceLeft(aPayment({ status, isMethodOpen: true, choices: CHOICES_MAX }))).toBe(false);
    },
  );
});

describe('the buttons of a page', () => {
  const payment = aPayment({ isMethodOpen: true });
  const chosen = afterOf(requireAction(payment, attempt, NOW));
  const again = afterOf(requireAction(chosen, attempt, NOW));
  const report = { amount: { currency: 'THB', minor: 1 } } as const;
  const differing = afterOf(applyPaymentOutcome(again, 'mismatch', NOW, report));
  const more = afterOf(applyPaymentOutcome(differing, 'mismatch', NOW, report));

  it('act on what the payer saw: another status, choice or amount is another turn', () => {
    const turns = [payment, chosen, again, differing, more].map(turnOf);
    expect(turns).toEqual([1, 3, 4, 6, 7]);
  });

  it('act on the same turn after a change for another reason', () => {
    const otherwise: Payment = { ...chosen, version: 9, updatedAtMs: NOW + 9, refundedMinor: 1 };
    expect(turnOf(otherwise)).toBe(turnOf(chosen));
  });
});

it('an expiry is unseen from its instant on, until it is recorded', () => {
  const payment = aPayment();
  const instants = [payment.expiresAtMs - 1, payment.expiresAtMs, payment.expiresAtMs + 1];
  expect(instants.map((atMs) => isExpiryUnseen(payment, atMs))).toEqual([false, true, true]);
  expect(isExpiryUnseen(aPayment({ status: 'expired' }), payment.expiresAtMs)).toBe(false);
});

it('a note changes nothing of a payment but its version, and a later one replaces it', () => {
  const before = afterOf(cancelPayment(aPayment(), NOW));
  const handled = { atMs: NOW + 1, note: 'sent back' };
  const first = markHandled(before, 'sent back', NOW + 1);
  const after = { ...before, handled, version: before.version + 1 };
  expect(first).toStrictEqual({ kind: 'payment-note', before, after });
  expect(markHandled(first.after, null, NOW + 2).after).toStrictEqual({
    ...before,
    handled: { atMs: NOW + 2, note: null },
    version: before.version + 2,
  });
});
