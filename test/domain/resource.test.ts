import { describe, expect, it } from 'vitest';
import {
  byPlural,
  countsAsStored,
  filtersOf,
  matchesFilter,
  perResource,
  REPORTED_NAMES,
  RESOURCE_NAMES,
  RESOURCES,
} from '../../shared/domain/resource.ts';
import { listBy, RESOURCE_ITEMS } from '../../shared/store/table/resource-items.ts';
import { aPayment, aPaymentLink, aPayout, aRefund, ENTITIES } from '../support/world/entities.ts';

describe('the table of resources', () => {
  it.each([
    ['prefix', REPORTED_NAMES.map((name) => RESOURCES[name].prefix)],
    ['plural', REPORTED_NAMES.map((name) => RESOURCES[name].plural)],
    ['letter of numbers', RESOURCE_NAMES.map((name) => RESOURCES[name].letter)],
    [
      'partition, of lists too',
      RESOURCE_NAMES.flatMap((name) => {
        const { partition } = RESOURCE_ITEMS[name];
        return [partition, `${partition}S`, ...[listBy(name)?.partition ?? []].flat()];
      }),
    ],
  ])('gives no two the same %s', (_name, given) => {
    expect(new Set<string>(given).size).toBe(given.length);
  });

  it('names counts in its own order, for any order of input', () => {
    const backwards = [...RESOURCE_NAMES.entries()].toReversed().map(([index, name]) => [name, index]);
    const counts = Object.fromEntries(backwards) as ReturnType<typeof perResource<number>>;
    const ordered = RESOURCE_NAMES.map((name, index) => [RESOURCES[name].plural, index]);
    expect(Object.entries(byPlural(counts))).toEqual(ordered);
  });
});

describe('the kinds of resources', () => {
  it('are reported with webhook endpoints, which alone have no number', () => {
    expect(REPORTED_NAMES).toEqual([...RESOURCE_NAMES, 'webhookEndpoint']);
    expect(perResource((name) => name.length)).toEqual({
      payment: 7,
      refund: 6,
      paymentLink: 11,
      payout: 6,
      settlement: 10,
    });
  });

  it('that an earlier version did not know count as none', () => {
    expect(countsAsStored({ payment: 3, refund: 0 })).toEqual({
      ...{ payment: 3, refund: 0, paymentLink: 0, payout: 0, settlement: 0 },
    });
  });
});

describe('a filter of a list', () => {
  const payment = aPayment({
    method: 'linepay',
    reference: 'order-1',
    customer: { email: 'Payer@Example.com', name: null, phone: null },
  });

  it.each([
    ['status', 'created', true],
    ['status', 'failed', false],
    ['method', 'linepay', true],
    ['reference', 'order-1', true],
    ['reference', 'order', false],
    ['number', 'P-000001', true],
    ['amountMinor', '10000', true],
    ['amountMinor', '1000', false],
    ['customerEmail', 'payer@example.com', true],
    ['referencePrefix', 'order', true],
    ['referencePrefix', '-1', false],
    ['unknown', 'x', false],
  ])('of payments by %s for %s: %s', (filter, wanted, isMatch) => {
    expect(matchesFilter('payment', filter, wanted, payment)).toBe(isMatch);
  });

  it('finds nothing by what a payment has not', () => {
    for (const filter of ['method', 'reference', 'customerEmail', 'referencePrefix']) {
      expect(matchesFilter('payment', filter, 'x', aPayment())).toBe(false);
    }
  });

  it('of other resources compares their fields', () => {
    const refund = aRefund();
    expect(matchesFilter('refund', 'paymentId', refund.paymentId, refund)).toBe(true);
    expect(matchesFilter('refund', 'unknown', 'x', refund)).toBe(false);
    const { settlement } = ENTITIES;
    const values = { status: 'matched', provider: 'sim_provider', valueDate: '2026-11-02' };
    expect(Object.keys(filtersOf('settlement'))).toEqual(Object.keys(values));
    for (const [filter, value] of Object.entries(values)) {
      expect(matchesFilter('settlement', filter, value, settlement)).toBe(true);
      expect(matchesFilter('settlement', filter, 'other', settlement)).toBe(false);
    }
    expect(matchesFilter('payout', 'status', 'pending', aPayout())).toBe(true);
    expect(matchesFilter('paymentLink', 'status', 'active', aPaymentLink())).toBe(true);
  });
});
