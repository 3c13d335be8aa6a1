import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import type { In, Key } from '../../../shared/store/table/keys.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import { heldAt, isStep } from '../../support/faults/held-call.ts';
import { lagReads } from '../../support/faults/lagging-reads.ts';
import { unusedPort } from '../../support/world/receivers.ts';
import {
  newLeases,
  newSubscribedWorld,
  paymentIn,
  startReceiver,
} from '../../support/world/subscribed-world.ts';

const { readDeliveryTargets } = await import('../../../shared/flows/dispatch/delivery-targets.ts');
const { runDueJobs, runMovedJobs } = await import('../../../shared/flows/jobs/runs.ts');
const { Dispatcher } = await import('../../../shared/flows/dispatch/dispatcher.ts');
const { TaskGroup } = await import('../../../shared/concurrency/task-group.ts');
const { find } = await import('../../../shared/store/table/entity.ts');
const { listEvents } = await import('../../../shared/store/events/event-log.ts');
const { listDeliveries } = await import('../../../shared/store/events/delivery.ts');
const { countDueJobs } = await import('../../../shared/store/scheduler/due.ts');
const { jobPks, outboxPks, queuePk } = await import('../../../shared/store/table/keys.ts');
const { insertJob, keyOfJob } = await import('../../../shared/store/scheduler/job.ts');
const { itemsOf, writeAll } = await import('../../../shared/store/table/write-all.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { countOutbox, entriesIn, insertOutboxEntry, readOutbox } = await import(
  '../../../shared/store/events/outbox.ts'
);
const { queryPartition } = await import('../../../shared/store/table/item.ts');
const { Leases } = await import('../../../shared/store/scheduler/lease.ts');
const { endEpoch } = await import('../../../shared/store/testkit/purge.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

const MINUTE_MS = 60_000;
const LEASE_MS = 60_000;

function dispatcherOf(
  world: StoredWorld,
  leases: InstanceType<typeof Leases>,
  baseUrl: string,
  patienceMs = MINUTE_MS,
) {
  const tasks = new TaskGroup();
  const deadlineMs = Date.now() + MINUTE_MS;
  const dispatcher = new Dispatcher(world, {
    baseUrl,
    poster: new Poster(),
    deadlineMs,
    leases,
    tasks,
    patienceMs,
  });
  const isDone = async () => {
    while (!tasks.isEmpty) {
      await tasks.progress(deadlineMs);
    }
  };
  return { dispatcher, isDone };
}

afterEach(() => vi.useRealTimers());

test("an event waits for its resource's previous response; other resources do not wait", {
  tags: 'slow',
}, async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  receiver.hold();
  const payments = await Promise.all([1, 2, 3, 4].map(() => paymentIn(world, leases, true)));
  const { dispatcher, isDone } = dispatcherOf(world, leases, receiver.baseUrl);
  dispatcher.add(payments.flatMap(({ entries }) => entries));
  const firsts = payments.map(({ id }) => `payment.created ${id}`).toSorted();
  const seen = () => receiver.received.map(({ type, resourceId }) => `${type} ${resourceId}`).toSorted();
  await expect.poll(seen).toEqual(firsts);
  receiver.answer();
  const seconds = payments.map(({ id }) => `payment.canceled ${id}`).toSorted();
  await expect.poll(seen).toEqual([...seconds, ...firsts].toSorted());
  receiver.letGo();
  await isDone();
  expect(receiver.received).toHaveLength(8);
  expect(receiver.received.map(({ sequence }) => sequence).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await countOutbox(world)).toBe(0);
});

test('events are numbered and readable while an endpoint is slow to respond', { tags: 'slow' }, async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  receiver.hold();
  const { entries } = await paymentIn(world, leases, true);
  const { dispatcher, isDone } = dispatcherOf(world, leases, receiver.baseUrl);
  dispatcher.add(entries);
  const types = async () => (await listEvents(world, { limit: 10 })).data.map(({ type }) => type);
  await expect.poll(types).toEqual(['payment.canceled', 'payment.created']);
  await expect.poll(() => receiver.received.map(({ type }) => type)).toEqual(['payment.created']);
  receiver.letGo();
  await isDone();
});

test('an entry that another runner dispatches is left to it, and later entries wait for it', {
  tags: 'slow',
}, async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  receiver.hold();
  const other = newLeases();
  const { entries } = await paymentIn(world, other, true);
  const others = dispatcherOf(world, other, receiver.baseUrl);
  others.dispatcher.add(entries.slice(0, 1));
  await expect.poll(() => receiver.received.length).toBe(1);
  await other.release(entries[1]?.key as Key);
  const own = dispatcherOf(world, leases, receiver.baseUrl);
  const looks = vi.spyOn(leases, 'isOthers');
  own.dispatcher.add(await readOutbox(outboxPks(world)));
  const firstLook = looks.mock.calls.length;
  expect(firstLook).toBeGreaterThan(0);
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(2 * firstLook);
  expect((await listEvents(world, { limit: 10 })).data).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
  receiver.letGo();
  await Promise.all([others.isDone(), own.isDone()]);
  expect(receiver.received.map(({ type }) => type)).toEqual(['payment.created', 'payment.canceled']);
});

test('events of a resource keep their order when a runner stalls with the first of them', async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  const stalled = newLeases();
  const { entries } = await paymentIn(world, stalled, true);
  const [first, second] = entries.map(({ key }) => key) as [Key, Key];
  await stalled.release(second);
  const { dispatcher, isDone } = dispatcherOf(world, leases, receiver.baseUrl);
  dispatcher.add(await readOutbox(outboxPks(world)));
  await stalled.release(first);
  await isDone();
  expect(receiver.received.map(({ type, sequence }) => [sequence, type])).toEqual([
    [1, 'payment.created'],
    [2, 'payment.canceled'],
  ]);
});

test('a runner that lost an entry to another one sends no later event of its resource', async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  receiver.hold();
  const slow = newLeases();
  const { entries } = await paymentIn(world, slow, true);
  const stalled = dispatcherOf(world, slow, receiver.baseUrl);
  stalled.dispatcher.add(entries);
  await expect.poll(() => receiver.received.length).toBe(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LEASE_MS + 1 });
  const leases = newLeases();
  expect(await leases.take(entries[0]?.key as Key, { mustExist: true })).toBe(true);
  receiver.letGo();
  await stalled.isDone();
  const types = () => receiver.received.map(({ type }) => type);
  expect(types()).toEqual(['payment.created']);
  const next = dispatcherOf(world, leases, receiver.baseUrl);
  next.dispatcher.add(await readOutbox(outboxPks(world)));
  await next.isDone();
  expect(types()).toEqual(['payment.created', 'payment.created', 'payment.canceled']);
});

test('an entry that another runner dispatches is not waited for when no later entry exists', async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  receiver.hold();
  const other = newLeases();
  const { entries } = await paymentIn(world, other);
  const others = dispatcherOf(world, other, receiver.baseUrl);
  others.dispatcher.add(entries);
  await expect.poll(() => receiver.received.length).toBe(1);
  const own = dispatcherOf(world, leases, receiver.baseUrl);
  own.dispatcher.add(await readOutbox(outboxPks(world)));
  await own.isDone();
  expect(await countOutbox(world)).toBe(1);
  receiver.letGo();
  await others.isDone();
  expect(receiver.received).toHaveLength(1);
});

test('entries that several runners dispatch at once are published and sent once', {
  tags: 'slow',
}, async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const ended = newLeases();
  const payments = await Promise.all([1, 2, 3, 4].map(() => paymentIn(world, ended, true)));
  const entries = payments.flatMap((payment) => payment.entries);
  await Promise.all(entries.map(({ key }) => ended.release(key)));
  const free = await readOutbox(outboxPks(world));
  const dispatchers = [1, 2, 3].map(() => dispatcherOf(world, newLeases(), receiver.baseUrl));
  for (const { dispatcher } of dispatchers) {
    dispatcher.add(free);
  }
  await Promise.all(dispatchers.map(({ isDone }) => isDone()));
  expect(receiver.received.map(({ sequence }) => sequence).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await countOutbox(world)).toBe(0);
});

test('the next runner dispatches what a dead runner published, under the same ids', async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  receiver.hold();
  const dead = newLeases();
  const { entries } = await paymentIn(world, dead);
  const died = dispatcherOf(world, dead, receiver.baseUrl);
  died.dispatcher.add(entries);
  await expect.poll(() => receiver.received.length).toBe(1);
  dead.close();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LEASE_MS + 1 });
  const next = dispatcherOf(world, newLeases(), receiver.baseUrl);
  next.dispatcher.add(await readOutbox(outboxPks(world)));
  await expect.poll(() => receiver.received.length).toBe(2);
  receiver.letGo();
  await Promise.all([died.isDone(), next.isDone()]);
  const [one, two] = receiver.received;
  expect(two).toEqual(one);
  expect((await listEvents(world, { limit: 10 })).data.map(({ id }) => id)).toEqual([one?.id]);
});

test('keeps the log of the runner that took over when the stalled runner resumes', async () => {
  const [world, receiver] = [await newSubscribedWorld(), await startReceiver()];
  const slow = newLeases();
  const { entries } = await paymentIn(world, slow);
  const frozen = dispatcherOf(world, slow, receiver.baseUrl);
  const stalled = await heldAt(isStep('log attempts'), async () => {
    frozen.dispatcher.add(entries);
    await frozen.isDone();
  });
  slow.close();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LEASE_MS + 1 });
  receiver.refuse();
  const next = dispatcherOf(world, newLeases(), receiver.baseUrl);
  next.dispatcher.add(await readOutbox(outboxPks(world)));
  await next.isDone();
  await stalled.letGo();
  expect(receiver.received).toHaveLength(2);
  const [target] = await readDeliveryTargets(world, '');
  const { data } = await listDeliveries(world, String(target?.id), { limit: 9 });
  expect(data.map(({ attempt, status }) => ({ attempt, status }))).toEqual([
    { attempt: 1, status: 'failed' },
  ]);
  expect(await countDueJobs([queuePk(world, String(target?.id))], Date.now() + MINUTE_MS)).toBe(1);
});

test('event numbers have no gap when reads of the log are late', { tags: 'slow' }, async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  onTestFinished(lagReads());
  const sequences = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const { entries } = await paymentIn(world, leases, true);
    const { dispatcher, isDone } = dispatcherOf(world, leases, receiver.baseUrl);
    dispatcher.add(entries);
    await isDone();
    sequences.push(receiver.received.splice(0).map(({ sequence }) => sequence));
  }
  expect(sequences).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  expect(await countOutbox(world)).toBe(0);
});

test('a slow endpoint delays no job', async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  receiver.hold();
  const { id, entries, expiresAtMs } = await paymentIn(world, leases);
  for (const { key } of entries) {
    await leases.release(key);
  }
  const run = runDueJobs(world, {
    baseUrl: receiver.baseUrl,
    jobPks: jobPks(world),
    entries: await readOutbox(outboxPks(world)),
    untilMs: expiresAtMs,
    deadlineMs: Date.now() + MINUTE_MS,
  });
  await expect.poll(async () => (await find('payment', world, id))?.status).toBe('expired');
  await expect.poll(() => receiver.received.map(({ type }) => type)).toEqual(['payment.created']);
  receiver.letGo();
  await run;
  expect(receiver.received.map(({ type }) => type)).toEqual(['payment.created', 'payment.expired']);
});

describe('a slow endpoint', () => {
  // As on a developer's machine.
  beforeEach(() => {
    vi.stubEnv(VARIABLES.loopback, 'allowed');
  });
  const PATIENCE_MS = 200;

  /** A payment is created and canceled; one endpoint responds and the other does not. */
  async function leaveBacklog() {
    const leases = newLeases();
    const receiver = await startReceiver();
    const world = await newSubscribedWorld(['/slow', '/quick'].map((path) => `${receiver.baseUrl}${path}`));
    receiver.hold(/slow/);
    const { id, entries } = await paymentIn(world, leases, true);
    const { dispatcher, isDone } = dispatcherOf(world, leases, receiver.baseUrl, PATIENCE_MS);
    dispatcher.add(entries);
    const seen = (path: string) =>
      receiver.received.flatMap((one) => (one.path === path ? [`${one.type} ${one.resourceId}`] : []));
    const both = [`payment.created ${id}`, `payment.canceled ${id}`];
    // An attempt that a busy machine does not answer in time is repeated.
    await expect.poll(() => [...new Set(seen('/quick'))]).toEqual(both);
    await expect.poll(() => countOutbox(world)).toBe(0);
    const [slow] = await readDeliveryTargets(world, receiver.baseUrl);
    const hasBacklog = async () => (await getWorld(world.id)).backloggedEndpoints.has(String(slow?.id));
    const waiting = () => countDueJobs([queuePk(world, String(slow?.id))], Date.now() + MINUTE_MS);
    return { world, receiver, id, both, leases, dispatcher, isDone, seen, slow, hasBacklog, waiting };
  }

  test('gets all events in order from its queue, and other endpoints do not wait', {
    tags: 'slow',
  }, async () => {
    const { world, receiver, id, both, leases, dispatcher, isDone, seen, slow, hasBacklog, waiting } =
      await leaveBacklog();
    expect(await hasBacklog()).toBe(true);
    const later = await paymentIn(world, leases);
    dispatcher.add(later.entries);
    await expect.poll(() => seen('/quick').at(-1)).toBe(`payment.created ${later.id}`);
    // The endpoint gets a second attempt, and all later events wait for its response.
    const [created] = both;
    await expect.poll(() => seen('/slow')).toEqual([created, created]);
    receiver.letGo();
    await isDone();
    await expect.poll(() => seen('/slow')).toContain(`payment.created ${later.id}`);
    await expect.poll(() => seen('/slow').filter((one) => one.endsWith(id))).toEqual([created, ...both]);
    const ids = receiver.received.filter(
      ({ path, type, resourceId }) => path === '/slow' && type === 'payment.created' && resourceId === id,
    );
    expect(ids[0]?.id).toBe(ids[1]?.id);
    await expect.poll(waiting).toBe(0);
    const { data } = await listDeliveries(world, String(slow?.id), { limit: 10 });
    expect(data.map(({ status, attempt }) => `${status} ${attempt}`)).toEqual(Array(3).fill('delivered 1'));
  });

  test('gets direct attempts again once its queue is empty and it responded quickly', {
    tags: 'slow',
  }, async () => {
    const { world, receiver, leases, dispatcher, seen, hasBacklog, waiting } = await leaveBacklog();
    receiver.letGo();
    // A response that a busy machine delays by half a second is not quick: then the next one is.
    const hasBacklogAfterOneMore = async () => {
      const quick = await paymentIn(world, leases);
      dispatcher.add(quick.entries);
      await expect.poll(() => seen('/slow')).toContain(`payment.created ${quick.id}`);
      await expect.poll(waiting).toBe(0);
      return expect
        .poll(hasBacklog, { timeout: 2_000 })
        .toBe(false)
        .then(() => false)
        .catch(() => true);
    };
    await expect.poll(hasBacklogAfterOneMore).toBe(false);
    const next = await paymentIn(world, leases);
    const direct = dispatcherOf(world, leases, receiver.baseUrl);
    direct.dispatcher.add(next.entries);
    await direct.isDone();
    expect(seen('/slow').at(-1)).toBe(`payment.created ${next.id}`);
  });
});

test('an exhaustive run waits for an attempt that another runner is making', { tags: 'slow' }, async () => {
  vi.stubEnv(VARIABLES.loopback, 'allowed');
  const receiver = await startReceiver();
  const [world, leases, other] = [
    await newSubscribedWorld([`${receiver.baseUrl}/sink`]),
    newLeases(),
    newLeases(),
  ];
  const { id: resourceId, entries } = await paymentIn(world, leases);
  const { dispatcher, isDone } = dispatcherOf(world, leases, receiver.baseUrl);
  dispatcher.add(entries);
  await isDone();
  const [event] = receiver.received;
  const [target] = await readDeliveryTargets(world, receiver.baseUrl);
  const dueAtMs = Date.now();
  const job = {
    kind: 'deliver-event',
    endpointId: String(target?.id),
    eventId: String(event?.id),
    resourceId,
    sequence: 1,
    attempt: 2,
    dueAtMs,
  } as const;
  const key = keyOfJob(world, job);
  expect(await other.take(key, { mustExist: false })).toBe(true);
  const { promise: isTried, resolve: tried } = Promise.withResolvers<void>();
  const take = vi.spyOn(Leases.prototype, 'take').mockImplementation(async function taken(
    this: InstanceType<typeof Leases>,
    ...args
  ) {
    take.mockRestore();
    const isTaken = await this.take(...args);
    tried();
    return isTaken;
  });
  await writeAll([{ ...itemsOf([insertJob(world, job)])[0], ...key, ...other.lease }], []);
  const run = runMovedJobs(world, {
    baseUrl: receiver.baseUrl,
    jobPks: [],
    queuePks: [key.pk as In<'QUEUE'>],
    entries: [],
    untilMs: dueAtMs,
    deadlineMs: Date.now() + MINUTE_MS,
  });
  await isTried;
  expect(receiver.received).toHaveLength(1);
  await other.release(key);
  await run;
  expect(receiver.received.map(({ id }) => id)).toEqual([event?.id, event?.id]);
});

test('nothing is sent after a purge', async () => {
  const [world, leases, receiver] = [await newSubscribedWorld(), newLeases(), await startReceiver()];
  const { entries } = await paymentIn(world, leases);
  const { epoch, counts, eventBlock } = await getWorld(world.id);
  const purge = { actionId: newId('act', Date.now()), epoch, counts, eventBlock, resetAtMs: Date.now() };
  expect((await commit(endEpoch(world, 'key', purge))).kind).toBe('committed');
  const { dispatcher, isDone } = dispatcherOf(world, leases, receiver.baseUrl);
  dispatcher.add(entries);
  await isDone();
  expect(receiver.received).toEqual([]);
});

/** An entry of three events of one resource, held by a runner. */
async function entryOfThree(world: StoredWorld, leases: InstanceType<typeof Leases>) {
  const nowMs = Date.now();
  const id = newId('pay', nowMs);
  const about = { resourceId: id, occurredAtMs: nowMs, previousStatus: null, object: { id } };
  const request = { id: null, idempotencyKey: null };
  const types = ['payment.created', 'payment.requires_action', 'payment.succeeded'] as const;
  const events = types.map((type) => ({ type, ...about, request }));
  const write = insertOutboxEntry(
    world,
    { id, version: 1 },
    { events, supersededJobs: [] },
    leases.lease,
    nowMs,
  );
  await commit([write]);
  const entries = entriesIn([write]);
  for (const { key } of entries) {
    leases.hold(key);
  }
  return { entries, types, nowMs };
}

test('many endpoints that refuse several events get each queued again; the outbox empties', {
  tags: 'slow',
}, async () => {
  const paths = Array.from({ length: 36 }, () => '/sink');
  const [world, leases] = [await newSubscribedWorld(paths), newLeases()];
  const { entries, types, nowMs } = await entryOfThree(world, leases);
  const { dispatcher, isDone } = dispatcherOf(world, leases, `http://127.0.0.1:${await unusedPort()}`);
  dispatcher.add(entries);
  await isDone();
  const targets = await readDeliveryTargets(world, '');
  const waiting = await Promise.all(
    targets.map((target) => countDueJobs([queuePk(world, target.id)], nowMs + MINUTE_MS)),
  );
  expect(waiting).toEqual(paths.map(() => types.length));
  const logs = await Promise.all(targets.map((target) => listDeliveries(world, target.id, { limit: 9 })));
  expect(logs.map(({ data }) => data.length)).toEqual(paths.map(() => types.length));
  expect(await countOutbox(world)).toBe(0);
});

test('a runner that dies between dozens of endpoints causes no second attempt or job', {
  tags: 'slow',
}, async () => {
  const paths = Array.from({ length: 36 }, () => '/sink');
  const [world, dying] = [await newSubscribedWorld(paths), newLeases()];
  const { entries, types, nowMs } = await entryOfThree(world, dying);
  const url = `http://127.0.0.1:${await unusedPort()}`;
  await heldAt(isStep('finish entry'), async () => {
    const { dispatcher, isDone } = dispatcherOf(world, dying, url);
    dispatcher.add(entries);
    await isDone();
  });
  for (const { key } of entries) {
    await dying.release(key);
  }
  const queues = (await readDeliveryTargets(world, '')).map(({ id }) => queuePk(world, id));
  const waiting = () => Promise.all(queues.map((pk) => countDueJobs([pk], nowMs + MINUTE_MS)));
  // The jobs queued so far are delivered before another runner takes over.
  const before = await waiting();
  const delivered = (await Promise.all(queues.map((pk) => queryPartition(pk)))).flat();
  await writeAll(
    [],
    delivered.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })),
  );
  expect(delivered.length).toBeGreaterThan(0);
  const { dispatcher, isDone } = dispatcherOf(world, newLeases(), url);
  dispatcher.add(await readOutbox(outboxPks(world)));
  await isDone();
  expect(await waiting()).toEqual(before.map((count) => types.length - count));
});
