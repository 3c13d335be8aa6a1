// @module-tag nightly
import { describe, expect, test, vi } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PAYMENT_STATUSES } from '../../shared/domain/payment.ts';
import { LINK_STATUSES } from '../../shared/domain/payment-link.ts';
import { METHODS } from '../../shared/domain/payment-method.ts';
import { PAYOUT_STATUSES } from '../../shared/domain/payout.ts';
import { REFUND_STATUSES } from '../../shared/domain/refund.ts';
import { SEED_PROFILES } from '../../shared/domain/testkit/seed-script.ts';
import { booksOf, Inspection, inspectConservation } from '../faults/model/invariants.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';
import { contentOf, countsOf } from '../support/world/seeded.ts';
import { leftOver, storedItems } from '../support/world/stored-items.ts';

const EMPTY = [0, 0, 0, 0, 0];
const SMALL = [10, 3, 2, 1, 1];
const MONTH = [300, 12, 5, 4, 0];
const NOTHING = { payments: 0, refunds: 0, payment_links: 0, payouts: 0, settlements: 0, sinks: 0 };
const DAY = 86_400;

function seed(api: Client, profile: string) {
  return api(operations.seedTestData, { body: { profile } });
}

function statusesOf(entities: readonly { readonly status: string }[]): string[] {
  return [...new Set(entities.map(({ status }) => status))].toSorted();
}

describe('a seed', () => {
  test('of small is ten payments in every status by five methods, and what belongs to them', async () => {
    const { api } = await newMerchant();
    const { json } = await seed(api, 'small');
    expect(json).toMatchObject({ already_seeded: false, profile: 'small', skipped: NOTHING });
    expect(json.created).toEqual({
      payments: 10,
      refunds: 3,
      payment_links: 2,
      payouts: 1,
      settlements: 1,
      sinks: 1,
    });
    const { payments } = await contentOf(api);
    expect(await countsOf(api)).toEqual(SMALL);
    expect(statusesOf(payments)).toEqual(PAYMENT_STATUSES.toSorted());
    expect(new Set(payments.flatMap(({ method }) => method ?? [])).size).toBe(5);
  });

  test('of month is 300 payments of 30 days, 82 % of them paid', async () => {
    const { api } = await newMerchant();
    const startedAt = Date.now();
    const { json } = await seed(api, 'month');
    console.log(`seeding a month took ${Date.now() - startedAt} ms`);
    const { payments, refunds, payouts } = await contentOf(api);
    expect(await countsOf(api)).toEqual(MONTH);
    expect(json.created).toMatchObject({ payments: 300, settlements: 29 });
    const paid = payments.filter(({ status }) => status === 'succeeded');
    expect(paid).toHaveLength(246);

    const times = payments.map(({ created_at }) => created_at).toSorted();
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
    const gross = sum(paid.map(({ amount }) => amount.minor));
    const refunded = sum(payments.map(({ refunded_minor: minor }) => minor));
    const done = refunds.filter(({ status }) => status === 'succeeded');
    expect(refunded).toBe(sum(done.map(({ amount }) => amount.minor)));
    expect(json.summary).toEqual({
      from: times[0],
      to: times.at(-1),
      gross_minor: gross,
      refunded_minor: refunded,
      currency: 'THB',
    });
    // A settlement of today finds the money that is not paid out yet.
    const { json: settled } = await api(operations.simulateSettlement);
    const { json: rest } = await api(operations.getPayout, { params: { id: String(settled.payout_id) } });
    expect(rest.amount.minor).toBe(gross - refunded - sum(payouts.map(({ amount }) => amount.minor)));
    expect(rest.number).toBe('O-000005');
  });

  test('of month leaves only payments payable that have not expired', async () => {
    const { api } = await newMerchant();
    await seed(api, 'month');
    const { payments } = await contentOf(api);
    const { json: clock } = await api(operations.getClock);
    const open = payments.filter(({ status }) => status === 'created' || status === 'requires_action');
    expect(open).toHaveLength(3);
    expect(open.every(({ expires_at }) => expires_at > clock.now)).toBe(true);
  });

  test.each(SEED_PROFILES)(
    'of %s accounts for all its money, even when its payouts come back',
    async (profile) => {
      const { api, merchant } = await newMerchant();
      const { json } = await seed(api, profile);
      const inspect = async () => {
        const inspection = new Inspection();
        const stored = await storedItems(merchant);
        inspectConservation(inspection, stored);
        inspection.end();
        return booksOf(stored);
      };
      const before = await inspect();
      expect(before.received).toBe(BigInt(json.summary.gross_minor - json.summary.refunded_minor));
      const { payouts } = await contentOf(api);
      for (const { id, status } of payouts) {
        const { status: answered } = await api(operations.simulatePayout, {
          params: { id },
          body: { outcome: 'returned' },
        });
        expect(answered).toBe(status === 'pending' || status === 'paid' ? 200 : 409);
      }
      expect(await inspect()).toEqual({ ...before, unsettled: before.received, pending: 0n, paidOut: 0n });
      const { json: settled } = await api(operations.simulateSettlement);
      const { json: payout } = await api(operations.getPayout, { params: { id: String(settled.payout_id) } });
      expect(BigInt(payout.amount.minor)).toBe(before.received);
    },
  );

  test('of e2e has every state of every type, each under its name', async () => {
    const { api } = await newMerchant();
    const { json } = await seed(api, 'e2e');
    const { payments, refunds, links, payouts, sinks } = await contentOf(api);
    expect(statusesOf(payments)).toEqual(PAYMENT_STATUSES.toSorted());
    expect(statusesOf(refunds)).toEqual(REFUND_STATUSES.toSorted());
    expect(statusesOf(links)).toEqual(LINK_STATUSES.toSorted());
    expect(statusesOf(payouts)).toEqual(PAYOUT_STATUSES.toSorted());
    for (const [method, { action }] of Object.entries(METHODS)) {
      const id = json.ids[`payment.requires_action.${method}`] ?? '';
      const payment = (await api(operations.getPayment, { params: { id } })).json;
      expect(payment).toMatchObject({ status: 'requires_action', method, next_action: { type: action } });
    }
    const late = json.ids['payment.succeeded.late_after_expiry'];
    expect(payments.find(({ id }) => id === late)).toMatchObject({ status: 'succeeded', late: true });
    for (const status of REFUND_STATUSES) {
      expect(refunds.find(({ id }) => id === json.ids[`refund.${status}`])?.status).toBe(status);
    }
    for (const status of PAYOUT_STATUSES) {
      expect(payouts.find(({ id }) => id === json.ids[`payout.${status}`])?.status).toBe(status);
    }
    const linkOf = (name: string) => links.find(({ id }) => id === json.ids[`payment_link.${name}`]);
    expect(linkOf('active')).toMatchObject({ status: 'active', uses: 0 });
    expect(linkOf('disabled')).toMatchObject({ status: 'disabled' });
    expect(linkOf('exhausted')).toMatchObject({ status: 'active', uses: 1, max_uses: 1 });
    expect(Date.parse(String(linkOf('expired')?.expires_at))).toBeLessThan(Date.now());
    expect(json.ids['settlement.matched']).toMatch(/^stl_/);
    expect(json.ids['settlement.mismatched']).toMatch(/^stl_/);

    const postTo = async (name: string) => {
      const sink = sinks.find(({ id }) => id === json.ids[`sink.${name}`]);
      return (await fetch(String(sink?.url), { method: 'POST', body: '{}' })).status;
    };
    expect(await postTo('plain')).toBe(200);
    expect([await postTo('failing_twice'), await postTo('failing_twice')]).toEqual([500, 500]);
    expect(await postTo('failing_twice')).toBe(200);
    expect([await postTo('unavailable'), await postTo('unavailable')]).toEqual([503, 503]);
  });

  test("goes on by the merchant's clock: what is open expires, what is requested is approved", async () => {
    const { api } = await newMerchant();
    const { ids } = (await seed(api, 'month')).json;
    const { shifted } = await moveClock(api, 2 * DAY);
    expect(shifted).toMatchObject({ payments_expired: 3, refunds_approved: 1, jobs_remaining: 0 });
    const { payments, refunds, events } = await contentOf(api);
    expect(statusesOf(payments)).not.toContain('created');
    expect(statusesOf(payments)).not.toContain('requires_action');
    expect(refunds.find(({ id }) => id === ids['refund.requested'])?.status).toBe('processing');
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'payment.expired',
      'payment.expired',
      'payment.expired',
      'refund.approved',
      'refund.processing',
    ]);
  });

  test('makes resources that behave like any others', async () => {
    const { api } = await newMerchant();
    const { ids } = (await seed(api, 'e2e')).json;
    const params = (name: string) => ({ id: ids[name] ?? '' });
    const paid = { params: params('payment.requires_action.promptpay'), body: { outcome: 'succeeded' } };
    expect((await api(operations.simulatePayment, paid)).status).toBe(200);
    const left = { params: params('payment.succeeded.partially_refunded') };
    // 129,900 less the refunds that are done or under way: 10,000, 6,000, 5,000 and 4,000.
    expect((await api(operations.requestRefund, left)).json.amount.minor).toBe(104_900);
    const approved = { params: params('refund.approved'), body: { outcome: 'succeeded' } };
    expect((await api(operations.simulateRefund, approved)).status).toBe(200);
    const payout = { params: params('payout.pending'), body: { outcome: 'paid' } };
    expect((await api(operations.simulatePayout, payout)).status).toBe(200);
    const link = { params: params('payment_link.active') };
    expect((await api(operations.disablePaymentLink, link)).json.status).toBe('disabled');
  });
});

describe('a seed beside others', () => {
  test.each(SEED_PROFILES)('of %s again changes nothing, and returns the same', async (profile) => {
    const { api } = await newMerchant();
    const first = (await seed(api, profile)).json;
    const before = await countsOf(api);
    const again = (await seed(api, profile)).json;
    expect(again).toEqual({ ...first, already_seeded: true, created: NOTHING, skipped: first.created });
    expect(await countsOf(api)).toEqual(before);
  });

  test('adds to existing data, other profiles included', async () => {
    const { api } = await newMerchant();
    const own = await createPayment(api);
    await seed(api, 'small');
    const { json } = await seed(api, 'e2e');
    expect(await countsOf(api)).toEqual([33, 11, 7, 5, 4]);
    expect(json.created).toMatchObject({ payments: 22, sinks: 3 });
    const { payments, links, refunds, payouts } = await contentOf(api);
    for (const kind of [payments, links, refunds, payouts]) {
      const numbers = kind.map(({ number }) => Number(number.slice(2))).toSorted((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
    expect((await api(operations.getPayment, { params: { id: own.id } })).json).toEqual(own);
    expect((await createPayment(api)).number).toBe('P-000034');
  });

  test('of two merchants has the same references, amounts and offsets', async () => {
    const outlines = [];
    for (const { api } of [await newMerchant(), await newMerchant()]) {
      await seed(api, 'month');
      const { payments, refunds, links, payouts } = await contentOf(api);
      // The newest payout is an exact number of days older than the seeding, and so gives its instant.
      const newest = Date.parse(String(payouts[0]?.created_at));
      const offset = ({ created_at }: { created_at: string }) => Date.parse(created_at) - newest;
      outlines.push({
        payments: payments.map((one) => [one.reference, one.amount, one.status, one.method, offset(one)]),
        refunds: refunds.map((one) => [one.number, one.amount, one.status, offset(one)]),
        links: links.map((one) => [one.number, one.amount, one.status, offset(one)]),
        payouts: payouts.map((one) => [one.number, one.amount, one.status, offset(one)]),
      });
    }
    expect(outlines[1]).toEqual(outlines[0]);
  });

  test('of two merchants has no id, page or sink in common', async () => {
    const seen: string[] = [];
    for (const { api } of [await newMerchant(), await newMerchant()]) {
      await seed(api, 'e2e');
      const { payments, links, sinks } = await contentOf(api);
      seen.push(
        ...[...payments, ...links, ...sinks].map(({ id }) => id),
        ...payments.flatMap(({ checkout_url: url }) => url ?? []),
        ...links.map(({ code }) => code),
        ...sinks.map(({ url }) => url),
      );
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('requested many times at once happens once', async () => {
    const { api } = await newMerchant();
    const answers = await Promise.all(Array.from({ length: 6 }, () => seed(api, 'month')));
    const done = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(done.filter(({ json }) => !json.already_seeded)).toHaveLength(1);
    expect(refused.every(({ problem }) => problem.code === 'seed_in_progress')).toBe(true);
    expect(await countsOf(api)).toEqual(MONTH);
    const { json } = await seed(api, 'month');
    expect(json.ids).toEqual(done[0]?.json.ids);
  });

  test('gives out no number twice during concurrent requests', async () => {
    const { api } = await newMerchant();
    const creations = Array.from({ length: 20 }, () => createPayment(api));
    const [created] = await Promise.all([Promise.all(creations), seed(api, 'small'), seed(api, 'e2e')]);
    const { payments } = await contentOf(api);
    expect(payments).toHaveLength(created.length + 32);
    expect(new Set(payments.map(({ number }) => number)).size).toBe(payments.length);
  });

  test('delivers no event of its simulated past', async () => {
    const { api } = await newMerchant();
    const { json: sink } = await api(operations.createWebhookSink);
    await seed(api, 'small');
    await seed(api, 'e2e');
    await moveClock(api, 1);
    const { json } = await api(operations.listDeliveries, { params: { id: sink.id } });
    expect(json.data).toEqual([]);
    expect((await contentOf(api)).events).toEqual([]);
  });

  test('takes the free sink slots, and reports which of its sinks found none', async () => {
    const { api } = await newMerchant();
    for (let index = 0; index < 18; index += 1) {
      await api(operations.createWebhookSink);
    }
    const { json } = await seed(api, 'e2e');
    expect([json.created.sinks, json.skipped.sinks]).toEqual([2, 1]);
    expect(Object.keys(json.ids).filter((name) => name.startsWith('sink.'))).toHaveLength(2);
    const again = (await seed(api, 'e2e')).json;
    expect(again).toMatchObject({ ids: json.ids, created: NOTHING, skipped: { sinks: 3 } });
    expect((await contentOf(api)).sinks).toHaveLength(20);
  });

  test("of one merchant leaves another's world empty", async () => {
    const [one, two] = [await newMerchant(), await newMerchant()];
    await seed(one.api, 'small');
    expect(await countsOf(two.api)).toEqual(EMPTY);
  });

  test('is deleted by a purge, and can be repeated', async () => {
    const { api } = await newMerchant();
    const first = (await seed(api, 'small')).json;
    const purged = (await api(operations.purgeTestData)).json;
    expect(purged.deleted).toMatchObject(first.created);
    expect(await countsOf(api)).toEqual(EMPTY);
    const again = (await seed(api, 'small')).json;
    expect(again).toMatchObject({ already_seeded: false, created: first.created });
    expect(await countsOf(api)).toEqual(SMALL);
    expect(Object.values(again.ids)).not.toContain(Object.values(first.ids)[0]);
  });

  test('is deleted completely after a purge', async () => {
    const { api, merchant } = await newMerchant();
    await seed(api, 'e2e');
    await createPayment(api);
    await moveClock(api, 1);
    expect((await storedItems(merchant)).some(({ pk }) => String(pk).includes('#DELIVERIES#'))).toBe(true);
    await api(operations.purgeTestData);
    await vi.waitUntil(async () => (await leftOver(merchant)) === 0, { timeout: 60_000, interval: 200 });
  });

  test('requires a known profile', async () => {
    const { api } = await newMerchant();
    const { problem } = await seed(api, 'large');
    expect(problem.errors).toMatchObject([{ field: 'profile', code: 'enum' }]);
    const missing = await api(operations.seedTestData, { body: {} });
    expect(missing.problem.errors).toMatchObject([{ field: 'profile', code: 'required' }]);
  });
});
