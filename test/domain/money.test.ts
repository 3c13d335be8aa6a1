import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDayBalance } from '../../shared/domain/balance.ts';
import {
  AMOUNT_MAX_MINOR,
  AMOUNT_MIN_MINOR,
  CURRENCIES,
  type Money,
  minorIn,
  parseAmount,
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

describe('an amount as people write it', () => {
  it.each([
    ['250', 25_000],
    ['250.5', 25_050],
    ['0.29', 29],
    ['0.01', 1],
    [' 1,299.00 ', 129_900],
    ['1,234,567.89', 123_456_789],
    ['9999999999.99', 999_999_999_999],
    ['007', 700],
  ])('%s is exact in satang', (text, minor) => {
    expect(parseAmount(text)).toBe(minor);
  });

  // In half of the world a comma is the point: an amount must not become a hundred times as much.
  it.each([
    '',
    '-1',
    '+1',
    '1e3',
    '1.234',
    '12,50',
    '1,29',
    '1,2345',
    ',5',
    '.5',
    '5.',
    '0x10',
    '๑๐',
    '1 000',
    'NaN',
    '1,000,000,000,000',
    '฿5',
  ])('%j is not an amount', (text) => {
    expect(parseAmount(text)).toBeNull();
  });

  const baht = fc.integer({ min: 0, max: 9_999_999_999 });
  const satang = fc.integer({ min: 0, max: 99 });
  const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

  it('is its baht times a hundred and its satang, in every way to write it', () => {
    fc.assert(
      fc.property(baht, satang, fc.boolean(), (whole, part, isGrouped) => {
        const minor = whole * 100 + part;
        const digits = isGrouped ? grouped(String(whole)) : String(whole);
        const two = String(part).padStart(2, '0');
        const ways = [two, ...(part % 10 === 0 ? [String(part / 10)] : [])].map((end) => `${digits}.${end}`);
        for (const text of part === 0 ? [...ways, digits] : ways) {
          expect(parseAmount(text)).toBe(minor);
        }
      }),
    );
  });

  it('holds every digit that was typed, or is no amount', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789,.'), maxLength: 24 });
    fc.assert(
      fc.property(text, (typed) => {
        const minor = parseAmount(typed);
        if (minor === null) {
          return;
        }
        const [whole = '', part = ''] = typed.replaceAll(',', '').split('.');
        expect(BigInt(minor)).toBe(BigInt(whole) * 100n + BigInt(part.padEnd(2, '0')));
      }),
      { numRuns: 2_000 },
    );
  });
});
