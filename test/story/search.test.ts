import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { addressOfSearch, lookupsOf, routeOfLookup } from '../../shared/story/search.ts';

const ID = '01m86ps672ekwtefp6dr29t6cm';

describe('a search', () => {
  test.each([
    [`  pay_${ID} `, `#/payments/pay_${ID}`],
    [`lnk_${ID}`, `#/links/lnk_${ID}`],
    ['P-000042', '#/payments?number=P-000042'],
    ['r-000042', '#/refunds?number=R-000042'],
    ['L-000042', '#/links?number=L-000042'],
    ['O-000042', '#/payouts?number=O-000042'],
    ['S-000042', '#/settlements?number=S-000042'],
    [`snk_${ID}`, `#/?world=snk_${ID}`],
    ['X-000042', '#/search?q=X-000042'],
    [' order-1042 ', '#/search?q=order-1042'],
    ['dlv_x', '#/search?q=dlv_x'],
    ['   ', null],
  ])('for %j leads to %s', (text, address) => {
    expect(addressOfSearch(text)).toBe(address);
  });

  test.each([
    ['order-1042', ['reference_prefix=order-1042']],
    ['ab', ['reference=ab']],
    ['Somchai@Example.com', ['customer_email=somchai@example.com', 'reference_prefix=Somchai@Example.com']],
    ['42', ['number=P-000042', 'amount_minor=4200', 'reference=42']],
    ['๔๒', ['number=P-000042', 'amount_minor=4200', 'reference=๔๒']],
    ['1042', ['number=P-001042', 'amount_minor=104200', 'reference_prefix=1042']],
    ['฿1,299', ['amount_minor=129900', 'reference_prefix=฿1,299']],
    ['๑,๒๙๙.๕๐ บาท', ['amount_minor=129950', 'reference_prefix=๑,๒๙๙.๕๐ บาท']],
    ['0', ['reference=0']],
    ['20261130093000', ['reference_prefix=20261130093000']],
  ])('for %j looks for %j', (text, lookups) => {
    expect(lookupsOf(text).map(({ by, value }) => `${by}=${value}`)).toEqual(lookups);
  });

  test('looks for nothing but what the list of payments filters by', () => {
    const filters = Object.keys(operations.listPayments.query.entries);
    for (const lookup of ['42', 'ab', 'a@example.com', 'order'].flatMap(lookupsOf)) {
      expect(routeOfLookup(lookup).path).toEqual(['payments']);
      expect(filters).toContain(lookup.by);
    }
  });
});
