import { describe, expect, it } from 'vitest';
import { toDayBalance } from '../../shared/domain/balance.ts';
import {
  AMOUNT_MAX_MINOR,
  AMOUNT_MIN_MINOR,
  CURRENCIES,
  type Money,
  minorIn,
} from '../../shared/domain/money.ts';
import { paymentInputFromLink } from '../../shared/domain/payment-link.ts';
import { paymentProviderEvent, requireFittingAmount } from '../../shared/domain/provider-event.ts';
import { requestRefund } from '../../shared/domain/refund.ts';
import { compareStatement } from '../../shared/domain/settlement.ts';
import { problemOf } from '../support/faults/thrown-problem.ts';
import { aPaidPayment, aPaymentLink } from '../support/world/entities.ts';

const IDS = { eventId: 'bank-1', actionId: 'act_1' };

describe('money', () => {
  it('is Thai baht, from one satang to just under ten billion baht', () => {
    expect(CURRENCIES).toEqual(['THB']);
    expect(AMOUNT_MIN_MINOR).toBe(1);
    expect(AMOUNT_MAX_MINOR).toBe(999_999_999_999);
  });

  it('stays exact when nine thousand of the largest amounts are added', () => {
    expect(Number.isSafeInteger(AMOUNT_MAX_MINOR * 9_000)).toBe(true);
  });
});

describe('yen and baht are never combined', () => {
  const baht: Money = { currency: 'THB', minor: 10_000 };
  // One currency exists today: a stand-in shows how a second one behaves. The same amount as in baht, so that only
  // the currency distinguishes them.
  const yen: Money = { currency: 'JPY' as 'THB', minor: 10_000 };
  const payment = aPaidPayment({ amount: baht });
  const identity = { id: 'ref_1', number: 'R-000001' };
  const link = aPaymentLink({ amount: baht });

  it.each([
    ['in a sum', (amount: Money) => minorIn('THB', amount)],
    ['in a balance', (amount: Money) => toDayBalance({ atMs: 0, amount })],
    ['in a refund', (amount: Money) => requestRefund(identity, payment, { amount }, payment.updatedAtMs)],
    ['in a statement', (amount: Money) => compareStatement(10_000, amount)],
    ['from the payer of a link', (amount: Money) => paymentInputFromLink(link, { amount, customer: {} })],
  ])('%s', (_name, meet) => {
    expect(() => meet(baht)).not.toThrow();
    expect(problemOf(() => meet(yen))).toMatchObject({ code: 'validation_failed', status: 422 });
  });

  it('and the refusal names the field and what it must be', () => {
    expect(problemOf(() => minorIn('THB', yen)).errors).toEqual([
      {
        code: 'mismatch',
        field: 'amount.currency',
        message: 'must match the currency of the other amount',
      },
    ]);
  });

  it("in a provider's report, as another amount", () => {
    const say = (outcome: 'succeeded' | 'mismatch', amount: Money) => () =>
      requireFittingAmount(payment, paymentProviderEvent(payment, IDS, { outcome, amount }));
    for (const refused of [say('succeeded', yen), say('mismatch', baht)]) {
      expect(problemOf(refused).code).toBe('amount_mismatch');
    }
    expect(say('succeeded', baht)).not.toThrow();
    expect(say('mismatch', yen)).not.toThrow();
  });
});
