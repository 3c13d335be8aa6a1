import { describe, expect, test } from 'vitest';
import { addressOfId, piecesOf, sectionOf } from '../../shared/story/addresses.ts';
import {
  addressOf,
  DEVELOPER_SECTIONS,
  hasSection,
  parseRoute,
  SHOP_SECTIONS,
  withoutPanels,
} from '../../shared/story/route.ts';

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
    const words: string[] = [...SHOP_SECTIONS, ...DEVELOPER_SECTIONS];
    for (const hash of ['#/', '#/payouts/x', '#/settlements', '#/payments/x', '#/api/y']) {
      expect(words).toContain(sectionOf(parseRoute(hash)));
    }
    expect(sectionOf(parseRoute('#/payouts'))).toBe('money');
    expect(sectionOf(parseRoute('#/requests/x'))).toBe('requests');
  });

  test('has the log of requests and the exam only beside the test kit', () => {
    const sections = [...SHOP_SECTIONS, ...DEVELOPER_SECTIONS];
    expect(sections.filter((section) => !hasSection(section, false))).toEqual(['requests', 'exam']);
    expect(sections.every((section) => hasSection(section, true))).toBe(true);
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
