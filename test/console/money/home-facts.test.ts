import { describe, expect, it } from 'vitest';
import { chartBars, type HomeReads, needsOf, todayText } from '../../../shared/console/money/home-facts.ts';

const THB = (minor: number) => ({ currency: 'THB', minor });
const NOTHING: HomeReads = {
  endpoints: [],
  processing: [],
  succeeded: [],
  settlements: [],
  refunds: [],
  clock: null,
};
const PAYMENT = {
  id: 'pay_1',
  number: 'P-000001',
  amount: THB(100),
  received: null,
  late: false,
  refunded_minor: 0,
  handled_at: null,
  expires_at: '2026-11-25T02:00:00.000Z',
  succeeded_at: '2026-11-25T02:00:01.000Z',
  status_history: [],
};
const ENDPOINT: HomeReads['endpoints'][number] = {
  id: 'whe_1',
  url: 'https://shop.example',
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
};

const NOW = '2026-11-25T03:00:00.000Z';

describe('what needs somebody', () => {
  it('is nothing where all is well', () => {
    const disabled = { ...ENDPOINT, status: 'disabled', disabled_reason: 'requested' } as const;
    expect(
      needsOf({
        ...NOTHING,
        endpoints: [ENDPOINT, disabled],
        processing: [PAYMENT, { ...PAYMENT, received: THB(99), handled_at: NOW }],
        succeeded: [
          PAYMENT,
          { ...PAYMENT, late: true, handled_at: NOW },
          { ...PAYMENT, late: true, refunded_minor: 1 },
        ],
      }),
    ).toEqual([]);
  });

  it.each<[string, Partial<HomeReads>, RegExp]>([
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
    [
      'another amount',
      { processing: [{ ...PAYMENT, received: THB(99) }] },
      /^P-000001 · ฿1\.00 · ฿0\.99 came instead of ฿1\.00: ask the payer\.$/,
    ],
    [
      'late money',
      { succeeded: [{ ...PAYMENT, late: true }] },
      /^P-000001 · ฿1\.00 · Paid 1 s after it expired: check the order\.$/,
    ],
    [
      'settlements that do not match, as one with the sum of their differences',
      {
        settlements: [
          { expected: THB(10_000), stated: THB(9_900) },
          { expected: THB(500), stated: THB(700) },
        ],
      },
      /^2 settlements do not match: ฿3\.00 between/,
    ],
    ['a job that failed', { clock: { now: NOW, parked_jobs: 1 } }, /^1 job failed for good.*pg admin jobs/],
    ['jobs that failed', { clock: { now: NOW, parked_jobs: 2 } }, /^2 jobs failed for good/],
    ['a refund that waits', { refunds: [{ created_at: NOW }] }, /^1 refund waits/],
    ['refunds that wait', { refunds: [{ created_at: NOW }, { created_at: NOW }] }, /^2 refunds wait/],
  ])('is %s', (_what, reads, text) => {
    const needs = needsOf({ ...NOTHING, ...reads });
    expect(needs).toHaveLength(1);
    expect(needs[0]?.text).toMatch(text);
    expect(needs[0]?.address).toMatch(/^#\//);
  });

  it('has the request that does it, where one request does', () => {
    const created_at = '2026-11-25T03:00:00.000Z';
    const actionsOf = (reads: object) => needsOf({ ...NOTHING, ...reads }).map(({ action }) => action);
    const disabled = { ...ENDPOINT, status: 'disabled', disabled_reason: 'failing' };
    expect(actionsOf({ endpoints: [disabled] })[0]).toMatchObject({
      operationId: 'webhooks.UpdateWebhookEndpoint',
      input: { params: { id: 'whe_1' }, body: { enabled: true } },
    });
    const failing = { ...ENDPOINT, failing_since: created_at };
    expect(actionsOf({ endpoints: [failing] })[0]?.operationId).toBe('webhooks.SendTestEvent');
    const refunds = [{ created_at }, { created_at: '2026-11-25T02:58:00.000Z' }];
    expect(actionsOf({ refunds, clock: { now: '2026-11-25T03:05:00.000Z' } })[0]).toMatchObject({
      operationId: 'testkit.AdvanceClock',
      input: { body: { seconds: 600 } },
    });
    expect(actionsOf({ refunds })).toEqual([null]);
    expect(actionsOf({ succeeded: [{ ...PAYMENT, late: true }] })[0]).toMatchObject({
      operationId: 'payments.MarkPaymentHandled',
      input: { params: { id: 'pay_1' } },
    });
  });
});

describe('the chart of the month', () => {
  const day = (date: string, paid: number, refunded = 0) => ({
    date,
    paid: { count: 2, amount: THB(paid) },
    refunded: { count: refunded === 0 ? 0 : 1, amount: THB(refunded) },
    by_method: paid === 0 ? {} : { promptpay: { count: 2, amount: THB(paid) } },
  });

  it('stacks the money of a day by method, on one scale with the refunds', () => {
    const { days, methods, axis } = chartBars([
      day('2026-11-01', 10_000),
      {
        ...day('2026-11-02', 40_000, 20_000),
        by_method: {
          truemoney: { count: 1, amount: THB(10_000) },
          bank_transfer: { count: 1, amount: THB(30_000) },
        },
      },
    ]);
    expect(methods).toEqual(['promptpay', 'truemoney', 'bank_transfer']);
    expect(axis).toEqual(['฿500', '฿250', '฿0']);
    expect(days[0]?.parts).toEqual([{ method: 'promptpay', amount: THB(10_000), from: 0, height: 0.2 }]);
    expect(days[1]?.parts.map(({ method, from, height }) => [method, from, height])).toEqual([
      ['truemoney', 0, 0.2],
      ['bank_transfer', 0.2, 0.6],
    ]);
    expect(days[1]?.refundedHeight).toBe(0.4);
    expect(days[1]?.text).toBe('2 Nov: 2 paid, ฿400.00; 1 TrueMoney, 1 Bank transfer; 1 refunded, ฿200.00');
  });

  it.each([
    [0, '฿1'],
    [100, '฿1'],
    [101, '฿2'],
    [2_000_001, '฿50K'],
    [6_000_000, '฿100K'],
    [300_000_000_001, '฿5B'],
  ])('has an axis whose top is a round number at or above %i satang', (minor, top) => {
    expect(chartBars([day('2026-11-01', minor)]).axis[0]).toBe(top);
  });

  it('is flat where nothing was paid', () => {
    expect(chartBars([day('2026-11-01', 0)]).days[0]).toMatchObject({ parts: [], refundedHeight: 0 });
  });

  it('compares today with yesterday', () => {
    expect(todayText([day('2026-11-01', 100), day('2026-11-02', 150)])).toBe(
      'Today ฿1.50 of 2; yesterday ฿1.00 of 2, +50 %',
    );
    expect(todayText([day('2026-11-01', 0), day('2026-11-02', 150)])).not.toContain('%');
    expect(todayText([])).toBeNull();
  });
});
