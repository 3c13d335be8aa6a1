// @module-tag slow
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { nextAttemptOf } from '../../../shared/domain/delivery.ts';
import { type Job, type JobKind, OWN_JOBS } from '../../../shared/domain/job.ts';
import { LATE_WRITES_MS } from '../../../shared/domain/testkit/purge.ts';
import { worldIdOf, worldNow } from '../../../shared/domain/world.ts';
import { gatedRun } from '../../support/faults/gated-run.ts';
import { type Client, clientOf, newMerchant } from '../../support/world/api.ts';
import { aDelivery } from '../../support/world/entities.ts';
import { startInProcess } from '../../support/world/in-process.ts';
import { baseUrl } from '../../support/world/merchant.ts';
import { moveClock, worldOf } from '../../support/world/resources.ts';
import { contentOf } from '../../support/world/seeded.ts';
import { leftOver, storedItems } from '../../support/world/stored-items.ts';
import { scanTable } from '../../support/world/stored-table.ts';

const { runDueJobs } = await import('../../../shared/flows/jobs/runs.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { logDeliveries } = await import('../../../shared/store/events/delivery.ts');
const { insertJob } = await import('../../../shared/store/scheduler/job.ts');
const { jobPks } = await import('../../../shared/store/table/keys.ts');

/** The service deletes when it has nothing else to do: the tests of a whole run keep it busy. */
const DELETED_WITHIN = { timeout: 240_000, interval: 100 };
vi.setConfig({ testTimeout: 300_000 });
const RUN_WITHIN_MS = 60_000;
const SOON_MS = 60_000;
const DAY_SECONDS = 86_400;
/** Longer than any deletion takes on a slow machine, so that a held request ends only when the test releases it. */
const HELD_SECONDS = 600;

let service: Awaited<ReturnType<typeof startInProcess>>;
beforeAll(async () => {
  service = await startInProcess(HELD_SECONDS);
});
afterAll(() => service.stop());
afterEach(() => vi.useRealTimers());

/** Counts all remaining items of a merchant's first epoch, including those by which links and sinks are found. */
async function leftOfFirst(merchant: string): Promise<number> {
  const lookUps = await scanTable({ attribute: 'worldId', value: worldIdOf(merchant, 'test') });
  return (await leftOver(merchant)) + lookUps.filter(({ epoch }) => epoch === 1).length;
}

/** Waits until the first epoch is deleted, and no job looks for more of it soon. */
async function deletion(merchant: string): Promise<void> {
  await expect
    .poll(async () => [await isDeletingSoon(merchant), await leftOfFirst(merchant)], DELETED_WITHIN)
    .toEqual([false, 0]);
}

async function isDeletingSoon(merchant: string): Promise<boolean> {
  const jobs = (await storedItems(merchant)).filter(({ kind }) => OWN_JOBS.includes(kind as JobKind));
  return jobs.some(({ job }) => JSON.parse(String(job)).dueAtMs < Date.now() + SOON_MS);
}

/** Runs the due jobs of a world at a time when no late write of a purge is possible any more, until none is left. */
async function runWhenLateWritesAreOver(merchant: string): Promise<void> {
  // While the service runs jobs of the world, it holds them.
  await expect
    .poll(async () => {
      await runLate(merchant);
      return (await storedItems(merchant)).filter(({ job }) => job !== undefined);
    }, DELETED_WITHIN)
    .toEqual([]);
}

async function runLate(merchant: string): Promise<void> {
  // The service is another process: its time went on while this process's time stood still.
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATE_WRITES_MS + 1 });
  const world = await worldOf(merchant);
  await runDueJobs(world, {
    baseUrl,
    untilMs: worldNow(world, Date.now()),
    deadlineMs: Date.now() + RUN_WITHIN_MS,
    jobPks: jobPks(world),
    entries: [],
  });
  vi.useRealTimers();
}

/**
 * Runs a request up to its commit, and holds it there, or just before it. A first run of a similar request shows
 * which of the calls is the commit.
 */
async function heldAtCommit(secret: string, row: Operation, body: object, isJustBefore: boolean) {
  const api = clientOf(secret, service.baseUrl, service.send);
  const ask = () => api(row, { body });
  // Only the first request of a key writes the day of its last use.
  await ask();
  const { calls } = await gatedRun(null, ask);
  const at = calls.findIndex(({ name }) => name === 'TransactWriteItems');
  const plan = isJustBefore
    ? ({ at: at - 1, fault: 'stalled after' } as const)
    : ({ at, fault: 'stalled before' } as const);
  const { end } = await gatedRun(plan, ask);
  if (end.kind !== 'stalled') {
    throw new Error('the request was not held');
  }
  return async () => {
    const last = await end.wake();
    if (last.kind !== 'done') {
      throw new Error('the request was not answered');
    }
    return last.value;
  };
}

const REQUESTS: [what: string, row: Operation, body: object][] = [
  ['a payment', operations.createPayment, { amount: { currency: 'THB', minor: 100 }, method: 'promptpay' }],
  [
    'a payment link',
    operations.createPaymentLink,
    { amount: { type: 'fixed', fixed: { currency: 'THB', minor: 100 } } },
  ],
  ['a webhook sink', operations.createWebhookSink, {}],
];

/** A merchant whose request is held at its commit while its world is purged, until all of the epoch is deleted. */
async function purgedWhileHeld(row: Operation, body: object, isJustBefore = false) {
  const { api, merchant, secret } = await newMerchant();
  // Only the test moves the time at which the request's claim ends.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const letGo = await heldAtCommit(secret, row, body, isJustBefore);
  expect((await api(operations.purgeTestData)).status).toBe(200);
  await deletion(merchant);
  return { api, merchant, letGo };
}

/** All resources that the API shows of a world. */
async function seenBy(api: Client) {
  const { payments, refunds, links, payouts, sinks, events } = await contentOf(api);
  return [payments, refunds, links, payouts, sinks, events].flat();
}

describe('a request that began before a purge and commits after it', () => {
  test.each(REQUESTS)('leaves nothing: %s is not visible, and is deleted', async (_, row, body) => {
    const { api, merchant, letGo } = await purgedWhileHeld(row, body);
    const { status, json } = await letGo();
    expect(status).toBe(201);
    expect(await leftOfFirst(merchant)).toBeGreaterThan(0);
    expect(await seenBy(api)).toEqual([]);
    const { url } = json as { url?: string };
    expect(url === undefined ? 404 : (await fetch(url, { method: 'POST' })).status).toBe(404);

    // Only real time decides when no late write is possible any more: the merchant's clock does not.
    await moveClock(api, DAY_SECONDS);
    expect(await leftOfFirst(merchant)).toBeGreaterThan(0);
    await runWhenLateWritesAreOver(merchant);
    expect(await leftOfFirst(merchant)).toBe(0);
    expect(await seenBy(api)).toEqual([]);
  });

  test.each(REQUESTS)('writes nothing of %s once its own time is over', async (_, row, body) => {
    const { api, merchant, letGo } = await purgedWhileHeld(row, body, true);
    vi.setSystemTime(Date.now() + HELD_SECONDS * 1_000);
    const { problem } = await letGo();
    // A new decision of the held request finds that either the claim or the epoch has ended.
    expect(['idempotency_in_progress', 'temporarily_unavailable']).toContain(problem?.code);
    expect(await leftOfFirst(merchant)).toBe(0);
    expect(await seenBy(api)).toEqual([]);
  });
});

test('what a runner writes late about a delivery is deleted too, though its sink is gone', async () => {
  const { api, merchant } = await newMerchant();
  const { json: sink } = await api(operations.createWebhookSink);
  const world = await worldOf(merchant);
  await api(operations.purgeTestData);
  await deletion(merchant);
  const late = aDelivery({ endpointId: sink.id });
  expect(await commit([logDeliveries(world, [late], Date.now())])).toEqual({ kind: 'committed' });
  // A second purge continues the deletion that the first one has not ended.
  await api(operations.purgeTestData);
  // The service postpones the job; until then it holds the job.
  await expect.poll(() => isDeletingSoon(merchant), DELETED_WITHIN).toBe(false);
  expect(await leftOfFirst(merchant)).toBeGreaterThan(0);
  await runWhenLateWritesAreOver(merchant);
  expect(await leftOfFirst(merchant)).toBe(0);
});

test('what a runner queues late for an endpoint that was deleted before the purge is deleted', async () => {
  const { api, merchant } = await newMerchant();
  const { json: endpoint } = await api(operations.createWebhookEndpoint, {
    body: { url: 'https://shop.example/hook' },
  });
  const world = await worldOf(merchant);
  await api(operations.deleteWebhookEndpoint, { params: { id: endpoint.id } });
  await expect.poll(() => isDeletingSoon(merchant), DELETED_WITHIN).toBe(false);
  await api(operations.purgeTestData);
  await deletion(merchant);
  const late = nextAttemptOf(aDelivery({ endpointId: endpoint.id, nextAttemptAtMs: Date.now() }));
  expect(await commit([insertJob(world, late as Job)])).toEqual({ kind: 'committed' });
  expect(await leftOfFirst(merchant)).toBe(1);
  await runWhenLateWritesAreOver(merchant);
  expect(await leftOfFirst(merchant)).toBe(0);
});
