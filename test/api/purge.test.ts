import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { DAY_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import { newMerchant } from '../support/world/api.ts';
import { createLink, createPayment, createPayout, moveClock, worldOf } from '../support/world/resources.ts';
import { untilQuiet } from '../support/world/stored-items.ts';

const { commit } = await import('../../shared/store/table/commit.ts');
const { insertJob } = await import('../../shared/store/scheduler/job.ts');

describe('a purge', () => {
  test('of an empty world returns zeros', async () => {
    const { api } = await newMerchant();
    const { json } = await api(operations.purgeTestData);
    expect(json).toMatchObject({
      status: 'completed',
      reason: 'requested',
      jobs_canceled: 0,
      outbox_canceled: 0,
    });
    expect(Object.values(json.deleted).every((count) => count === 0)).toBe(true);
    expect(json.kept).toEqual({ api_keys: 1 });
  });

  test('is answered however many earlier purges are still being deleted', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const world = await worldOf(merchant);
    const { counts } = world;
    const deletions = Array.from({ length: 120 }, (_, nth) => {
      const purge = {
        actionId: newId('act', nth),
        epoch: 0,
        counts,
        eventBlock: null,
        resetAtMs: Date.now(),
      };
      const dueAtMs = Date.now() + DAY_MS;
      return insertJob(world, { kind: 'delete-epoch', purge, endpointIds: [], dueAtMs });
    });
    await commit(deletions.slice(0, 60));
    await commit(deletions.slice(60));
    for (const _purge of [1, 2]) {
      const { status, text } = await api(operations.purgeTestData);
      expect(status, text).toBe(200);
    }
  });

  test('makes everything unreachable at once, counts it, and restarts numbers and clock', {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const { json: sink } = await api(operations.createWebhookSink);
    const payout = await createPayout(api);
    const link = await createLink(api);
    await moveClock(api, 60);
    await createPayment(api);
    await createPayment(api);
    await untilQuiet(merchant);
    const { json } = await api(operations.purgeTestData);
    expect(json.deleted).toMatchObject({
      payments: 3,
      payment_links: 1,
      payouts: 1,
      settlements: 1,
      sinks: 1,
    });
    expect(json.deleted.events).toBeGreaterThanOrEqual(5);
    expect(json.sequences_reset).toMatchObject({ payments: 3, payment_links: 1, payouts: 1, settlements: 1 });
    // The two payments wait to expire. The paid one does not any more.
    expect(json.jobs_canceled).toBe(2);

    for (const row of [
      operations.listPayments,
      operations.listPaymentLinks,
      operations.listPayouts,
      operations.listSettlements,
      operations.listEvents,
    ]) {
      expect((await api(row)).json.data).toEqual([]);
    }
    expect((await api(operations.getPayout, { params: { id: payout } })).status).toBe(404);
    expect((await api(operations.getPaymentLink, { params: { id: link.id } })).status).toBe(404);
    expect((await fetch(sink.url, { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await api(operations.getClock)).json).toMatchObject({ offset_seconds: 0 });
    expect((await createPayment(api)).number).toBe('P-000001');
  });

  test('counts each canceled thing once, whether or not the runner was faster', async () => {
    const { api } = await newMerchant();
    await createPayment(api);
    const { json } = await api(operations.purgeTestData);
    expect(json.jobs_canceled).toBe(1);
    expect(json.outbox_canceled + Number(json.deleted.events)).toBe(2);
  });

  test('is replayed for its own key, and earlier saved responses are forgotten', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const body = { amount: { currency: 'THB', minor: 100 } };
    const created = await api(operations.createPayment, { body, idempotencyKey: 'order' });
    const first = await api(operations.purgeTestData, { idempotencyKey: 'purge' });
    const again = await api(operations.purgeTestData, { idempotencyKey: 'purge' });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const anew = await api(operations.createPayment, { body, idempotencyKey: 'order' });
    expect(anew.headers.get('idempotent-replayed')).toBeNull();
    expect(anew.json.id).not.toBe(created.json.id);
  });

  test('frees all keys but its own: tests that send the same ones again start anew', async () => {
    const { api } = await newMerchant();
    const run = async () => {
      const payment = { body: { amount: { currency: 'THB', minor: 100 } }, idempotencyKey: 'order' };
      const move = { body: { seconds: 250 }, idempotencyKey: 'move' };
      const sent = [await api(operations.createPayment, payment), await api(operations.advanceClock, move)];
      const clock = await api(operations.getClock);
      return {
        statuses: sent.map(({ status }) => status),
        areReplays: sent.map(({ headers }) => headers.has('idempotent-replayed')),
        payments: (await api(operations.listPayments)).json.data.map(({ number }) => number),
        offsetSeconds: clock.json.offset_seconds,
      };
    };
    const first = await run();
    expect(first).toEqual({
      statuses: [201, 200],
      areReplays: [false, false],
      payments: ['P-000001'],
      offsetSeconds: 250,
    });
    // No request of the second run differs by a byte from a late duplicate of the first run (contract §4).
    await api(operations.purgeTestData);
    expect(await run()).toEqual(first);
  });

  test('leaves no job that a move of the clock runs, or that the clock shows', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    // A deleted endpoint and a purge leave much to delete in the background.
    const { json: endpoint } = await api(operations.createWebhookEndpoint, {
      body: { url: 'https://shop.example/hook' },
    });
    await api(operations.deleteWebhookEndpoint, { params: { id: endpoint.id } });
    const moved = [];
    for (let times = 0; times < 2; times += 1) {
      const { json } = await api(operations.purgeTestData);
      const { next_job_at } = (await api(operations.getClock)).json;
      const { jobs_run, shifted } = await moveClock(api, 31 * 24 * 60 * 60);
      moved.push([json.jobs_canceled, next_job_at, jobs_run, shifted.jobs_remaining]);
    }
    expect(moved).toEqual([
      [0, null, 0, 0],
      [0, null, 0, 0],
    ]);
  });

  test("leaves the other merchants' worlds alone", { tags: 'slow' }, async () => {
    const [one, two] = [await newMerchant(), await newMerchant()];
    const { id } = await createPayment(two.api);
    const before = (await two.api(operations.getPayment, { params: { id } })).json;
    await createPayment(one.api);
    await one.api(operations.purgeTestData);
    expect((await two.api(operations.getPayment, { params: { id } })).json).toEqual(before);
  });
});
