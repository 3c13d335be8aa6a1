import { afterEach, expect, test, vi } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { PRESETS } from '../../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../../shared/contract/versions.ts';
import { derivedId, newId } from '../../../shared/domain/id.ts';
import { newFork } from '../../../shared/domain/testkit/created-world.ts';
import { createdWorldIdOf, hasEnded } from '../../../shared/domain/world.ts';
import { type AwsCall, interceptCalls } from '../../../shared/store/table/aws-client.ts';
import type { TableInput } from '../../../shared/store/table/client.ts';
import { worldKey } from '../../../shared/store/table/keys.ts';
import { heldAt } from '../../support/faults/held-call.ts';
import { newMerchant } from '../../support/world/api.ts';
import { requestStartAt } from '../../support/world/new-payment.ts';
import { createPayment, moveClock, worldOf } from '../../support/world/resources.ts';
import { untilQuiet } from '../../support/world/stored-items.ts';
import { scanTable } from '../../support/world/stored-table.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { nextSequence } = await import('../../../shared/store/events/event-log.ts');
const { insertJob } = await import('../../../shared/store/scheduler/job.ts');
const { insertCreatedWorld } = await import('../../../shared/store/testkit/created-worlds.ts');
const { COPY_HELD_MS } = await import('../../../shared/store/testkit/fork.ts');
const { continueFork, forkWorld } = await import('../../../shared/flows/testkit/fork-world.ts');
const { wakeWorld } = await import('../../../shared/flows/jobs/wake-world.ts');
const { findOpenWorld, getWorld } = await import('../../../shared/store/worlds/world.ts');

const INPUT = { name: 'fork', ttlMinutes: 5, maker: { id: 'key_1', expiresAtMs: null } };
const PATIENCE_MS = 60_000;
/** The clock of the running service finds it then: these tests do not race with it. */
const FOUND_AFTER_MS = 3_600_000;
const LIMITS = { baseUrl: 'http://127.0.0.1', timeMs: PATIENCE_MS };

afterEach(() => vi.useRealTimers());

/** A fork without its content, of a world with one payment. */
async function newPending(id = newId('wld', Date.now())) {
  const { api, merchant } = await newMerchant();
  await createPayment(api);
  await untilQuiet(merchant);
  const source = await worldOf(merchant);
  const made = newFork(source, source, id, INPUT, [], Date.now() + FOUND_AFTER_MS, id);
  expect((await commit(insertCreatedWorld(made, source))).kind).toBe('committed');
  return { api, merchant, source, worldId: createdWorldIdOf(id) };
}

/** The items of a kind in the epoch of a world. */
async function itemsIn(worldId: string, kind: string) {
  const { epoch } = await getWorld(worldId);
  const items = await scanTable({ pkBegins: `${worldId}.${epoch}#` });
  return items.filter(({ pk }) => String(pk).split('#')[1] === kind);
}

/** A transaction that writes copies, and not the world of the fork. */
function isCopy({ input }: AwsCall): boolean {
  const { TransactItems: items = [] } = input as TableInput<'TransactWriteItems'>;
  return items.some(({ Put: put }) => String(put?.Item?.pk).includes('#PAYMENT#'));
}

test('a runner gives a fork its content, and until then nothing in it is found', {
  tags: 'slow',
}, async () => {
  const { worldId } = await newPending();
  await wakeWorld(worldId, null, LIMITS);
  const world = await getWorld(worldId);
  expect(world).toMatchObject({ forkSource: null, counts: { payment: 1 } });
  expect(await findOpenWorld(worldId)).not.toBeNull();
  expect(await itemsIn(worldId, 'PAYMENT')).toHaveLength(1);
  expect((await itemsIn(worldId, 'JOBS')).map(({ kind }) => kind)).toEqual(['expire-payment']);
});

test('a fork has one state of a source that changes meanwhile, and no parts of two', {
  tags: 'slow',
}, async () => {
  const { api, merchant, worldId } = await newPending();
  const copying = await heldAt(isCopy, async () =>
    continueFork(await getWorld(worldId), Date.now() + PATIENCE_MS),
  );
  expect(await findOpenWorld(worldId)).toBeNull();
  await createPayment(api);
  await api(operations.createWebhookSink);
  await untilQuiet(merchant);
  expect(await copying.letGo()).toBe('whole');
  const [world, source] = [await getWorld(worldId), await worldOf(merchant)];
  expect(world.counts.payment).toBe(2);
  expect(await itemsIn(worldId, 'PAYMENT')).toHaveLength(2);
  expect(await itemsIn(worldId, 'ENDPOINTS')).toHaveLength(1);
  expect(await nextSequence(world)).toBe(await nextSequence(source));
});

test('a copy that was taken over writes nothing into the fork, and what it has left is deleted', {
  tags: 'slow',
}, async () => {
  const { worldId } = await newPending();
  const stalled = await heldAt(
    // What it writes, and what it renews.
    (call) => isCopy(call) || call.operation === 'UpdateItem',
    async () => continueFork(await getWorld(worldId), Date.now() + PATIENCE_MS),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + COPY_HELD_MS });
  expect(await continueFork(await getWorld(worldId), Date.now() + PATIENCE_MS)).toBe('whole');
  const before = await itemsIn(worldId, 'PAYMENT');
  expect(await stalled.letGo()).toBe('whole');
  expect(await itemsIn(worldId, 'PAYMENT')).toEqual(before);
  const { epoch } = await getWorld(worldId);
  // Now, and again when no late write is possible any more.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + FOUND_AFTER_MS });
  const left = async () => {
    await wakeWorld(worldId, null, LIMITS);
    const items = await scanTable({ pkBegins: `${worldId}.` });
    return items.filter(({ pk }) => !String(pk).startsWith(`${worldId}.${epoch}#`));
  };
  await expect.poll(left).toEqual([]);
});

test('a fork gets its content however many copies of it were given up', { tags: 'slow' }, async () => {
  const { worldId } = await newPending();
  const stalled = await heldAt(isCopy, async () =>
    continueFork(await getWorld(worldId), Date.now() + PATIENCE_MS),
  );
  const begun = await getWorld(worldId);
  const { counts } = begun;
  const givenUp = Array.from({ length: 120 }, (_, nth) => {
    return { actionId: newId('act', nth), epoch: 0, counts, eventBlock: null, resetAtMs: Date.now() };
  });
  const jobs = givenUp.map((purge) => {
    const dueAtMs = Date.now() + FOUND_AFTER_MS;
    return insertJob(begun, { kind: 'delete-epoch', purge, endpointIds: [], dueAtMs });
  });
  await commit(jobs.slice(0, 60));
  await commit(jobs.slice(60));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + COPY_HELD_MS });
  const fork = await getWorld(worldId);
  expect(await continueFork(fork, Date.now() + PATIENCE_MS)).toBe('whole');
  const deletions = (await itemsIn(worldId, 'JOBS')).filter(({ kind }) => kind === 'delete-epoch');
  const ids = deletions.map(({ job }) => JSON.parse(String(job)).purge.actionId);
  expect(ids).toHaveLength(givenUp.length + 1);
  expect(ids).toEqual(expect.arrayContaining(givenUp.map(({ actionId }) => actionId)));
  await stalled.letGo();
});

test('of two runners that copy at once, one does, and the other leaves it', { tags: 'slow' }, async () => {
  const { worldId } = await newPending();
  const world = await getWorld(worldId);
  const first = await heldAt(isCopy, () => continueFork(world, Date.now() + PATIENCE_MS));
  expect(await continueFork(world, Date.now() + PATIENCE_MS)).toBe('pending');
  expect(await first.letGo()).toBe('whole');
  expect(await continueFork(world, Date.now() + PATIENCE_MS)).toBe('whole');
});

test('a request gets the fork that a runner copies already', { tags: 'slow' }, async () => {
  const start = requestStartAt(Date.now());
  const { source, worldId } = await newPending(derivedId('wld', start.atMs, start.secret));
  const pending = await getWorld(worldId);
  const copying = await heldAt(isCopy, () => continueFork(pending, Date.now() + PATIENCE_MS));
  const looks = vi.fn();
  const stopLooking = interceptCalls(dynamodb, ({ operation, input }, next) => {
    if (operation === 'GetItem' && (input as TableInput<'GetItem'>).Key?.pk === worldKey(worldId).pk) {
      looks();
    }
    return next();
  });
  const request = forkWorld(source, source, {
    ...INPUT,
    idempotencyKey: 'once',
    key: { permissions: PRESETS.owner, version: NEWEST_VERSION, networks: [] },
    baseUrl: LIMITS.baseUrl,
    claim: { stands: async () => start, newStart: start },
  });
  const outcome = request.then(
    ({ world }) => world.id,
    (error: Error) => error.message,
  );
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(1);
  stopLooking();
  await copying.letGo();
  expect(await outcome).toBe(worldId);
});

test('a fork ends whose source was purged before it had its content', { tags: 'slow' }, async () => {
  const { api, worldId } = await newPending();
  await api(operations.purgeTestData);
  expect(await continueFork(await getWorld(worldId), Date.now() + PATIENCE_MS)).toBe('gone');
  expect(hasEnded(await getWorld(worldId), Date.now())).toBe(true);
  await moveClock(api, 1);
  expect(await findOpenWorld(worldId)).toBeNull();
});
