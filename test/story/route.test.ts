import { describe, expect, test } from 'vitest';
import { addressOfId, addressOfSearch, piecesOf, sectionOf } from '../../shared/story/addresses.ts';
import { addressOf, parseRoute, SECTIONS, withoutPanels } from '../../shared/story/route.ts';

const ID = '01m86ps672ekwtefp6dr29t6cm';

describe('an address of the dashboard', () => {
  test.each([
    ['', [], {}],
    ['#/', [], {}],
    ['#/payments', ['payments'], {}],
    ['#/payments?status=failed&reference=a%26b', ['payments'], { status: 'failed', reference: 'a&b' }],
    [`#/payments/pay_${ID}`, ['payments', `pay_${ID}`], {}],
    ['#/payments/%E0%A4%A', ['payments', '%E0%A4%A'], {}],
    ['#key=pg_test_abc', [], {}],
    ['#stage', [], {}],
  ])('%j is read as its path and query', (hash, path, query) => {
    expect(parseRoute(hash)).toEqual({ path, query });
  });

  test('leads back to the same index', () => {
    for (const route of [
      { path: ['payments'], query: { reference: 'a&b=c #1/2?', status: 'failed' } },
      { path: ['api', 'payments.GetPayment'], query: { id: `pay_${ID}` } },
      { path: ['odd/one?', 'ไทย'], query: {} },
    ]) {
      expect(parseRoute(addressOf(route.path, route.query))).toEqual(route);
    }
  });

  test('leaves out what is empty', () => {
    expect(addressOf(['payments'], { status: '' })).toBe('#/payments');
    expect(addressOf([])).toBe('#/');
  });

  test('keeps its index when the drawer or a delivery is opened', () => {
    const query = { status: 'failed', world: 'open', receiver: `snk_${ID}`, delivery: `dlv_${ID}` };
    expect(withoutPanels({ path: ['payments'], query })).toEqual({
      path: ['payments'],
      query: { status: 'failed' },
    });
  });

  test('belongs to a word of the navigation', () => {
    const words: string[] = SECTIONS.map(([index]) => index);
    for (const hash of ['#/', '#/payouts/x', '#/settlements', '#/payments/x', '#/api/y']) {
      expect(words).toContain(sectionOf(parseRoute(hash)));
    }
    expect(sectionOf(parseRoute('#/payouts'))).toBe('money');
    expect(sectionOf(parseRoute('#/exam'))).toBe('webhooks');
  });
});

describe('an id', () => {
  test.each([
    ['pay', 'payments'],
    ['ref', 'refunds'],
    ['lnk', 'links'],
    ['stl', 'settlements'],
    ['pot', 'payouts'],
    ['evt', 'events'],
    ['whe', 'webhooks'],
  ])('that begins with %s_ leads to %s, also from within a text', (prefix, index) => {
    const address = `#/${index}/${prefix}_${ID}`;
    expect(addressOfId(`${prefix}_${ID}`)).toBe(address);
    expect(piecesOf(`see ${prefix}_${ID}`)[1]?.address).toBe(address);
  });

  test('leads nowhere if its kind has no index', () => {
    expect(addressOfId(`dlv_${ID}`)).toBeNull();
    expect(addressOfId('nothing')).toBeNull();
  });

  test('is found in any text, and nothing of the text is lost', () => {
    const text = `"pay_${ID}", then ref_${ID} of pay_short and xpay_${ID}`;
    const pieces = piecesOf(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter(({ address }) => address !== null).map((piece) => piece.text)).toEqual([
      `pay_${ID}`,
      `ref_${ID}`,
    ]);
  });
});

describe('a search', () => {
  test.each([
    [`  pay_${ID} `, `#/payments/pay_${ID}`],
    [`lnk_${ID}`, `#/links/lnk_${ID}`],
    ['P-000042', '#/payments?number=P-000042'],
    ['r-000042', '#/refunds?number=r-000042'],
    ['L-000042', '#/links?number=L-000042'],
    ['O-000042', '#/payouts?number=O-000042'],
    ['S-000042', '#/settlements?number=S-000042'],
    ['X-000042', '#/payments?reference=X-000042'],
    [`snk_${ID}`, `#/?world=snk_${ID}`],
    ['order-1042', '#/payments?reference=order-1042'],
    ['dlv_x', '#/payments?reference=dlv_x'],
    ['   ', null],
  ])('for %j leads to %s', (text, address) => {
    expect(addressOfSearch(text)).toBe(address);
  });
});
