import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { bangkokDay } from '../../shared/domain/balance.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { createPaidPayment, moveClock, worldOf } from '../support/world/resources.ts';
import { listAll } from '../support/world/seeded.ts';

const { addUnsettled } = await import('../../shared/store/money/balance.ts');
const { commit } = await import('../../shared/store/table/commit.ts');

const DAY = 86_400;
const thb = (minor: number) => ({ currency: 'THB', minor });

/** Lets a provider settle, and returns the response and the resulting payout. */
async function settle(api: Client, provider: string, body: Record<string, unknown> = {}) {
  const { json } = await api(operations.simulateSettlement, { body: { provider, ...body } });
  const id = json.payout_id;
  const payout = id === null ? null : (await api(operations.getPayout, { params: { id } })).json;
  return { ...json, payout };
}

function simulatePayout(api: Client, id: string | undefined, outcome: string) {
  return api(operations.simulatePayout, { params: { id: String(id) }, body: { outcome } });
}

async function refund(api: Client, paymentId: string, minor: number) {
  const { json } = await api(operations.requestRefund, {
    params: { id: paymentId },
    body: { amount: thb(minor) },
  });
  await api(operations.simulateRefund, { params: { id: json.id }, body: { outcome: 'succeeded' } });
}

describe('a settlement', () => {
  test('is retrieved by its id and listed newest first, as in its event', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await createPaidPayment(api, 1_000);
    await settle(api, 'first', { amount: thb(999) });
    const matched = await settle(api, 'second');
    expect((await settle(api, 'third')).outcome).toBe('empty');
    const { json: clock } = await api(operations.getClock);
    const { json } = await api(operations.listSettlements);
    const value_date = bangkokDay(Date.parse(clock.now));
    const both = { value_date, mode: 'test', expected: thb(1_000) };
    expect(json).toMatchObject({
      data: [
        { ...both, number: 'S-000002', provider: 'second', status: 'matched', stated: null },
        { ...both, number: 'S-000001', provider: 'first', status: 'mismatched', stated: thb(999) },
      ],
      has_more: false,
      next_cursor: null,
    });
    expect(json.data.map(({ payout_id }) => payout_id)).toEqual([matched.payout_id, null]);
    expect(matched.payout?.settlement_id).toBe(json.data[0]?.id);
    await moveClock(api, 1);
    for (const one of json.data) {
      const { json: read } = await api(operations.getSettlement, { params: { id: one.id } });
      expect(read).toEqual(one);
      const { json: events } = await api(operations.listEvents, { query: { resource_id: one.id } });
      expect(events.data.map(({ type, data }) => [type, data.object])).toEqual([
        [`settlement.${one.status}`, one],
      ]);
    }
  });

  test('is found by its status, its provider and its day, page by page', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const providers = ['a', 'b', 'c', 'd'];
    for (const provider of providers) {
      await createPaidPayment(api);
      await settle(api, provider, provider === 'c' ? { amount: thb(1) } : {});
    }
    const list = async (query: Record<string, string>) =>
      (await listAll(api, operations.listSettlements, query)).map(({ provider }) => provider);
    expect(await list({})).toEqual(providers.toReversed());
    expect(await list({ status: 'matched' })).toEqual(['d', 'b', 'a']);
    expect(await list({ status: 'mismatched' })).toEqual(['c']);
    expect(await list({ provider: 'b' })).toEqual(['b']);
    expect(await list({ provider: 'b', status: 'mismatched' })).toEqual([]);
    expect(await list({ value_date: '2020-01-01' })).toEqual([]);
    const query = { limit: '3' };
    const first = await api(operations.listSettlements, { query });
    expect(first.json.data.map(({ provider }) => provider)).toEqual(['d', 'c', 'b']);
    const after = String(first.json.next_cursor);
    const second = await api(operations.listSettlements, { query: { ...query, after } });
    expect(second.json).toMatchObject({ data: [{ provider: 'a' }], has_more: false });
    const { problem } = await api(operations.listSettlements, {
      query: { status: 'empty', value_date: 'today' },
    });
    expect(problem.errors?.map(({ code, field }) => `${field} ${code}`)).toEqual([
      'status enum',
      'value_date format',
    ]);
  });

  test('that was seeded is retrieved and listed like any other', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { json } = await api(operations.seedTestData, { body: { profile: 'e2e' } });
    const listed = await listAll(api, operations.listSettlements);
    expect(listed).toHaveLength(Number(json.created.settlements));
    for (const one of listed) {
      const { json: read } = await api(operations.getSettlement, { params: { id: one.id } });
      expect(read).toEqual(one);
    }
    expect(listed.map(({ id }) => id)).toContain(json.ids['settlement.matched']);
  });
});

describe('the money of a payout', () => {
  test.each([
    ['failed', ['failed']],
    ['returned before it was paid', ['returned']],
    ['paid and then returned', ['paid', 'returned']],
  ])('that %s is paid out again by the next settlement, once', { tags: 'slow' }, async (_, outcomes) => {
    const { api } = await newMerchant();
    await createPaidPayment(api, 100_000);
    const first = await settle(api, 'first');
    expect(first).toMatchObject({ outcome: 'matched', payout: { amount: thb(100_000) } });
    expect((await settle(api, 'too-early')).outcome).toBe('empty');
    for (const outcome of outcomes) {
      expect((await simulatePayout(api, first.payout?.id, outcome)).json.outcome).toBe(outcome);
    }
    await createPaidPayment(api, 500);
    const second = await settle(api, 'second');
    expect(second).toMatchObject({ outcome: 'matched', payout: { status: 'pending', amount: thb(100_500) } });
    expect((await settle(api, 'third')).outcome).toBe('empty');
    expect((await simulatePayout(api, first.payout?.id, 'failed')).problem.code).toBe('invalid_state');
    expect((await settle(api, 'fourth')).outcome).toBe('empty');
  });

  test('that was paid stays paid out', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await createPaidPayment(api);
    const { payout } = await settle(api, 'first');
    await simulatePayout(api, payout?.id, 'paid');
    expect((await settle(api, 'second')).outcome).toBe('empty');
  });

  test('is unsettled again on the day on which it comes back', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    await createPaidPayment(api);
    const { payout } = await settle(api, 'first');
    await moveClock(api, 2 * DAY);
    await simulatePayout(api, payout?.id, 'failed');
    const { json: clock } = await api(operations.getClock);
    const today = bangkokDay(Date.parse(clock.now));
    const yesterday = bangkokDay(Date.parse(clock.now) - DAY * 1_000);
    expect((await settle(api, 'second', { value_date: yesterday })).outcome).toBe('empty');
    expect((await settle(api, 'second', { value_date: today })).payout?.amount).toEqual(thb(1_000));
  });

  test('is carried over while refunds exceed it, until something can be paid out', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const { id } = await createPaidPayment(api, 1_000);
    expect((await settle(api, 'first')).payout?.amount).toEqual(thb(1_000));
    await refund(api, id, 400);
    expect(await settle(api, 'second')).toMatchObject({ outcome: 'empty', payout: null });
    await createPaidPayment(api, 300);
    expect(await settle(api, 'second', { amount: thb(300) })).toMatchObject({ outcome: 'empty' });
    await createPaidPayment(api, 300);
    expect((await settle(api, 'second')).payout?.amount).toEqual(thb(200));
    expect((await settle(api, 'third')).outcome).toBe('empty');
  });
});

describe('a balance', () => {
  test('is exact beyond 2^53 satang: a settlement pays at most that, the next one the rest', {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const world = await worldOf(merchant);
    const day = bangkokDay(Date.now());
    await commit([addUnsettled(world, { day, shard: 0, paidMinor: 2n ** 53n, refundedMinor: 0n })]);
    await createPaidPayment(api, 1);
    await createPaidPayment(api, 2);
    const first = await settle(api, 'first');
    expect(first.payout?.amount.minor).toBe(Number.MAX_SAFE_INTEGER);
    await simulatePayout(api, first.payout?.id, 'paid');
    const second = await settle(api, 'second', { amount: thb(4) });
    expect(second).toMatchObject({ outcome: 'matched', payout: { amount: thb(4) } });
    expect((await settle(api, 'third')).outcome).toBe('empty');
    await simulatePayout(api, second.payout?.id, 'failed');
    expect((await settle(api, 'fourth')).payout?.amount).toEqual(thb(4));
  });

  test('above the largest payment is settled by a statement of the same amount', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    for (let count = 0; count < 2; count += 1) {
      await createPaidPayment(api, 999_999_999_999);
    }
    const { outcome, payout } = await settle(api, 'first', { amount: thb(1_999_999_999_998) });
    expect([outcome, payout?.amount]).toEqual(['matched', thb(1_999_999_999_998)]);
  });
});
