import { describe, expect, it } from 'vitest';
import { barsOf, needsOf, todayText } from '../../shared/console/home-facts.ts';

const THB = (minor: number) => ({ currency: 'THB', minor });
const NOTHING = { endpoints: [], processing: [], succeeded: [], refunds: [] };
const PAYMENT = {
  id: 'pay_1',
  number: 'P-000001',
  amount: THB(100),
  received: null,
  late: false,
  refunded_minor: 0,
};
const ENDPOINT = {
  id: 'whe_1',
  url: 'https://shop.example',
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
};

describe('what needs somebody', () => {
  it('is nothing where all is well', () => {
    const disabled = { ...ENDPOINT, status: 'disabled', disabled_reason: 'requested' };
    expect(
      needsOf({ endpoints: [ENDPOINT, disabled], processing: [PAYMENT], succeeded: [PAYMENT], refunds: [] }),
    ).toEqual([]);
  });

  it.each([
    [
      'a failing endpoint',
      { endpoints: [{ ...ENDPOINT, failing_since: '2026-11-02T03:00:00.000Z' }] },
      /fails/,
    ],
    [
      'an endpoint that failed',
      { endpoints: [{ ...ENDPOINT, status: 'disabled', disabled_reason: 'failing' }] },
      /disabled/,
    ],
    ['another amount', { processing: [{ ...PAYMENT, received: THB(99) }] }, /฿0\.99 came instead of ฿1\.00/],
    ['late money', { succeeded: [{ ...PAYMENT, late: true }] }, /after the expiry/],
    ['a refund that waits', { refunds: [{}] }, /^1 refund waits/],
    ['refunds that wait', { refunds: [{}, {}] }, /^2 refunds wait/],
  ])('is %s', (_what, reads, text) => {
    const needs = needsOf({ ...NOTHING, ...reads });
    expect(needs).toHaveLength(1);
    expect(needs[0]?.text).toMatch(text);
    expect(needs[0]?.address).toMatch(/^#\//);
  });
});

describe('the chart of the month', () => {
  const day = (date: string, paid: number, refunded = 0) => ({
    date,
    paid: { count: 2, amount: THB(paid) },
    refunded: { count: refunded === 0 ? 0 : 1, amount: THB(refunded) },
    by_method: paid === 0 ? {} : { promptpay: { count: 2, amount: THB(paid) } },
  });

  it('has bars of one scale, and each day in words', () => {
    const [first, second] = barsOf([day('2026-11-01', 100), day('2026-11-02', 400, 200)]);
    expect([first?.paidHeight, second?.paidHeight, second?.refundedHeight]).toEqual([0.25, 1, 0.5]);
    expect(second?.text).toBe('2026-11-02: 2 paid, ฿4.00; 2 promptpay; 1 refunded, ฿2.00');
  });

  it('is flat where nothing was paid', () => {
    expect(barsOf([day('2026-11-01', 0)]).map(({ paidHeight }) => paidHeight)).toEqual([0]);
  });

  it('compares today with yesterday', () => {
    expect(todayText([day('2026-11-01', 100), day('2026-11-02', 150)])).toBe(
      'Today ฿1.50 of 2; yesterday ฿1.00 of 2, +50 %',
    );
    expect(todayText([day('2026-11-01', 0), day('2026-11-02', 150)])).not.toContain('%');
    expect(todayText([])).toBeNull();
  });
});
