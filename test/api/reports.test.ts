import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { bangkokDay } from '../../shared/domain/balance.ts';
import { DAY_MS } from '../../shared/domain/clock.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { createPaidPayment, createPayment, moveClock, pay } from '../support/world/resources.ts';
import { listAll } from '../support/world/seeded.ts';

const DAY = 86_400;
const thb = (minor: number) => ({ currency: 'THB', minor });
const tally = (count: number, minor: number) => ({ count, amount: thb(minor) });
const NOTHING = tally(0, 0);

async function refund(api: Client, paymentId: string, minor: number) {
  const { json } = await api(operations.requestRefund, {
    params: { id: paymentId },
    body: { amount: thb(minor) },
  });
  await api(operations.simulateRefund, { params: { id: json.id }, body: { outcome: 'succeeded' } });
}

/** Settles all unsettled money, and returns the id of the payout. */
async function settle(api: Client, provider: string): Promise<string> {
  const { json } = await api(operations.simulateSettlement, { body: { provider } });
  return String(json.payout_id);
}

function endPayout(api: Client, id: string, outcome: 'paid' | 'returned') {
  return api(operations.simulatePayout, { params: { id }, body: { outcome } });
}

async function balanceOf(api: Client) {
  const { as_of: _, ...sums } = (await api(operations.getBalance)).json;
  return sums;
}

async function today(api: Client): Promise<string> {
  return bangkokDay(Date.parse((await api(operations.getClock)).json.now));
}

async function statisticsOf(api: Client, from: string, to: string) {
  return (await api(operations.getDailyStatistics, { query: { from, to } })).json.data;
}

describe('the balance', () => {
  test('of a new merchant is zero, as of now on its clock', async () => {
    const { api } = await newMerchant();
    await moveClock(api, 3 * DAY);
    const { json } = await api(operations.getBalance);
    const { now } = (await api(operations.getClock)).json;
    expect(json).toMatchObject({ unsettled: thb(0), pending: thb(0), paid_out: thb(0) });
    expect(Math.abs(Date.parse(now) - Date.parse(json.as_of))).toBeLessThan(DAY_MS);
  });

  test('goes from unsettled to pending to paid out, and back where a payout is returned', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPaidPayment(api, 10_000);
    await refund(api, id, 1_000);
    expect(await balanceOf(api)).toEqual({ unsettled: thb(9_000), pending: thb(0), paid_out: thb(0) });
    const first = await settle(api, 'first');
    await createPaidPayment(api, 500);
    expect(await balanceOf(api)).toEqual({ unsettled: thb(500), pending: thb(9_000), paid_out: thb(0) });
    await endPayout(api, first, 'paid');
    expect(await balanceOf(api)).toEqual({ unsettled: thb(500), pending: thb(0), paid_out: thb(9_000) });
    await endPayout(api, first, 'returned');
    expect(await balanceOf(api)).toEqual({ unsettled: thb(9_500), pending: thb(0), paid_out: thb(0) });
  });

  test('is negative where more was refunded than paid since the last settlement', async () => {
    const { api } = await newMerchant();
    const { id } = await createPaidPayment(api, 10_000);
    await settle(api, 'first');
    await refund(api, id, 2_500);
    expect((await balanceOf(api)).unsettled).toEqual(thb(-2_500));
  });
});

describe('daily statistics', () => {
  test('count each day by method, also after its settlement, with days on which nothing happened', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const first = await today(api);
    const { id } = await createPaidPayment(api, 10_000);
    const other = await createPayment(api, { method: 'truemoney', amount: thb(700) });
    await pay(api, other.id);
    await createPayment(api);
    await settle(api, 'first');
    await moveClock(api, 2 * DAY);
    const last = await today(api);
    await refund(api, id, 2_500);
    await refund(api, id, 500);
    const between = bangkokDay(Date.parse(last) - DAY_MS);
    const expected = [
      {
        date: first,
        paid: tally(2, 10_700),
        refunded: NOTHING,
        by_method: { promptpay: tally(1, 10_000), truemoney: tally(1, 700) },
      },
      { date: between, paid: NOTHING, refunded: NOTHING, by_method: {} },
      { date: last, paid: NOTHING, refunded: tally(2, 3_000), by_method: {} },
    ];
    expect(await statisticsOf(api, first, last)).toEqual(expected);
    expect(await statisticsOf(api, between, between)).toEqual(expected.slice(1, 2));
  });

  test('count money that comes after a cancel, though its payer had not chosen a method', async () => {
    const { api } = await newMerchant();
    const { id } = await createPayment(api, { method: undefined, amount: thb(700) });
    await api(operations.cancelPayment, { params: { id } });
    await pay(api, id);
    const day = await today(api);
    const [counted] = await statisticsOf(api, day, day);
    expect(counted).toMatchObject({ paid: tally(1, 700), by_method: { promptpay: tally(1, 700) } });
    const { json: payment } = await api(operations.getPayment, { params: { id } });
    expect(payment).toMatchObject({ status: 'succeeded', late: true, method: 'promptpay' });
  });

  test('of a seeded month agree with its payments and refunds', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await api(operations.seedTestData, { body: { profile: 'month' } });
    const to = await today(api);
    const from = bangkokDay(Date.parse(to) - 60 * DAY_MS);
    const [payments, refunds] = await Promise.all([
      listAll(api, operations.listPayments, { status: 'succeeded' }),
      listAll(api, operations.listRefunds, { status: 'succeeded' }),
    ]);
    const sum = (all: readonly { amount: { minor: number } }[]) =>
      tally(
        all.length,
        all.reduce((total, { amount }) => total + amount.minor, 0),
      );
    const dayOf = (one: { succeeded_at: string | null }) => bangkokDay(Date.parse(String(one.succeeded_at)));
    const [paid, refunded] = [Map.groupBy(payments, dayOf), Map.groupBy(refunds, dayOf)];
    const days = await statisticsOf(api, from, to);
    expect(days).toHaveLength(61);
    expect(payments.length).toBeGreaterThan(100);
    for (const { date, by_method, ...day } of days) {
      const ofDay = paid.get(date) ?? [];
      expect({ date, ...day }).toEqual({ date, paid: sum(ofDay), refunded: sum(refunded.get(date) ?? []) });
      const methods = [...Map.groupBy(ofDay, ({ method }) => String(method))];
      expect(by_method).toEqual(Object.fromEntries(methods.map(([method, all]) => [method, sum(all)])));
    }
  });

  test.each([
    [{ from: 'yesterday', to: '2026-03-01' }, ['format from']],
    [{ from: '2026-03-02', to: '2026-03-01' }, ['min to']],
    [{ from: '2026-01-01', to: '2026-04-03' }, ['max to']],
  ])('of %o are refused', async (query, errors) => {
    const { api } = await newMerchant();
    const { problem } = await api(operations.getDailyStatistics, { query });
    expect(problem.code).toBe('validation_failed');
    expect(problem.errors?.map(({ code, field }) => `${code} ${field}`)).toEqual(errors);
  });

  test('cover 92 days at most, and by default the last 30', async () => {
    const { api } = await newMerchant();
    expect(await statisticsOf(api, '2026-01-01', '2026-04-02')).toHaveLength(92);
    const { data } = (await api(operations.getDailyStatistics)).json;
    expect([data.length, data.at(-1)?.date]).toEqual([30, await today(api)]);
  });
});
