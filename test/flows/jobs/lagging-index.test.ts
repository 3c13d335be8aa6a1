import { afterEach, describe, expect, test, vi } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { LATE_WRITES_MS } from '../../../shared/domain/testkit/purge.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { lagIndexes } from '../../support/faults/lagging-reads.ts';
import { clientOf } from '../../support/world/api.ts';
import { startInProcess } from '../../support/world/in-process.ts';
import { newKey } from '../../support/world/merchant.ts';
import { createLink, createPayment, moveClock, worldOf } from '../../support/world/resources.ts';
import { leftOver } from '../../support/world/stored-items.ts';

const { runDueJobs } = await import('../../../shared/flows/jobs/runs.ts');
const { jobPks } = await import('../../../shared/store/table/keys.ts');
const { findDueWork } = await import('../../../shared/store/scheduler/due.ts');
const { wakeWorld } = await import('../../../shared/flows/jobs/wake-world.ts');

const HOUR_SECONDS = 3_600;
const HOUR_MS = 3_600_000;

let end: () => void = () => undefined;
afterEach(() => {
  end();
  vi.useRealTimers();
});

/** A merchant with a sink, whose requests this process handles. */
async function newOwner() {
  const service = await startInProcess();
  const { merchant, secret } = await newKey();
  const api = clientOf(secret, service.baseUrl, service.send);
  const { json: sink } = await api(operations.createWebhookSink);
  return { service, merchant, api, sink, worldId: worldIdOf(merchant, 'test') };
}

describe('while an index is out of date', () => {
  test('a move of the clock misses nothing: no job, no event, no delivery', { tags: 'slow' }, async () => {
    const { service, api, sink } = await newOwner();
    end = lagIndexes('shows nothing');
    const payments = await Promise.all([1, 2, 3].map(() => createPayment(api)));
    const { shifted } = await moveClock(api, HOUR_SECONDS);
    expect(shifted).toMatchObject({ payments_expired: 3, jobs_remaining: 0 });
    const { json: events } = await api(operations.listEvents, { query: { limit: '100' } });
    expect(events.data.map(({ sequence }) => sequence)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const { json: log } = await api(operations.listDeliveries, {
      params: { id: sink.id },
      query: { limit: '100' },
    });
    expect(log.data.map(({ status }) => status)).toEqual(Array(9).fill('delivered'));
    for (const { id } of payments) {
      expect((await api(operations.getPayment, { params: { id } })).json.status).toBe('expired');
    }
    await service.stop();
  });

  test('a purge leaves nothing behind: it reads again when the index has caught up', {
    tags: 'slow',
  }, async () => {
    const { service, api, merchant, worldId } = await newOwner();
    await createPayment(api);
    await createLink(api);
    end = lagIndexes('shows nothing');
    expect((await api(operations.purgeTestData)).status).toBe(200);
    await wakeWorld(worldId, null, { baseUrl: service.baseUrl, timeMs: HOUR_MS });
    end();
    const world = await worldOf(merchant);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATE_WRITES_MS + 1 });
    await runDueJobs(world, {
      baseUrl: service.baseUrl,
      jobPks: jobPks(world),
      entries: [],
      untilMs: Date.now(),
      deadlineMs: Date.now() + HOUR_MS,
    });
    expect(await leftOver(merchant)).toBe(0);
    await service.stop();
  });
});

describe('in any order of an index', () => {
  test('the clock finds the same work', { tags: 'slow' }, async () => {
    const { service, api, worldId } = await newOwner();
    await Promise.all([1, 2, 3].map(() => createPayment(api)));
    const jobsFound = async () => {
      const { pks } = await findDueWork('test', Date.now() + 2 * HOUR_MS);
      return [...(pks.get(worldId) ?? [])].filter((pk) => pk.includes('#JOBS#')).toSorted();
    };
    const inOrder = await jobsFound();
    expect(inOrder.length).toBeGreaterThan(0);
    end = lagIndexes('in another order');
    expect(await jobsFound()).toEqual(inOrder);
    await service.stop();
  });

  test('the pages of a list together show each item once', { tags: 'slow' }, async () => {
    const { service, api } = await newOwner();
    await Promise.all([1, 2, 3, 4, 5].map(() => createPayment(api)));
    end = lagIndexes('in another order');
    const { json } = await api(operations.listPayments, { query: { limit: '100' } });
    expect(new Set(json.data.map(({ id }) => id)).size).toBe(5);
    await service.stop();
  });
});
