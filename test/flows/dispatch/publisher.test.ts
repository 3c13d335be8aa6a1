import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { OutboxEntry } from '../../../shared/store/events/outbox.ts';
import { Poster } from '../../../shared/webhooks/poster.ts';
import { heldAt, isStep } from '../../support/faults/held-call.ts';
import { newLeases, newSubscribedWorld, paymentIn } from '../../support/world/subscribed-world.ts';

const { TaskGroup } = await import('../../../shared/concurrency/task-group.ts');
const { Dispatcher } = await import('../../../shared/flows/dispatch/dispatcher.ts');
const { Publisher } = await import('../../../shared/flows/dispatch/publisher.ts');
const { listEvents } = await import('../../../shared/store/events/event-log.ts');
const { outboxPks } = await import('../../../shared/store/table/keys.ts');
const { writeOne } = await import('../../../shared/store/table/commit.ts');
const { countOutbox, noteSequence, readOutbox } = await import('../../../shared/store/events/outbox.ts');

/** Longer than the leases of `newLeases`. */
const LATER_MS = 61_000;
type Publications = Awaited<ReturnType<InstanceType<typeof Publisher>['publish']>>;

const sequencesOf = (published: Publications) =>
  published.flatMap(({ events }) => events.map(({ sequence }) => sequence));

test('events get consecutive numbers in the order of their entries', async () => {
  const [world, leases] = [await newSubscribedWorld(), newLeases()];
  const publisher = new Publisher(world, leases);
  const [one, other] = [await paymentIn(world, leases, true), await paymentIn(world, leases)];
  expect(sequencesOf(await publisher.publish(one.entries, true))).toEqual([1, 2]);
  expect(sequencesOf(await publisher.publish(other.entries, true))).toEqual([3]);
  const { data } = await listEvents(world, { limit: 10 });
  expect(data.map(({ sequence, resourceId }) => [sequence, resourceId])).toEqual([
    [3, other.id],
    [2, one.id],
    [1, one.id],
  ]);
});

test('entries wait in the outbox for their attempts; without an endpoint, several leave at once', async () => {
  const [world, leases] = [await newSubscribedWorld(), newLeases()];
  const publisher = new Publisher(world, leases);
  const states = [];
  const held = [];
  for (const [isCanceled, hasTargets] of [
    [false, true],
    [false, false],
    [true, true],
    [true, false],
  ] as const) {
    const { entries } = await paymentIn(world, leases, isCanceled);
    states.push((await publisher.publish(entries, hasTargets)).map(({ isHeld }) => isHeld));
    // Those that are gone cost no renewals.
    held.push(entries.map(({ key }) => newLeases().isHeldBeside(key)));
  }
  expect(held).toEqual(states);
  expect(states).toEqual([[true], [true], [true, true], [false, false]]);
  expect(await countOutbox(world)).toBe(4);
});

test('of two publishers of one entry, one gives it its number', async () => {
  const [world, leases] = [await newSubscribedWorld(), newLeases()];
  const { entries } = await paymentIn(world, leases);
  await Promise.all(entries.map(({ key }) => leases.release(key)));
  const free = await readOutbox(outboxPks(world));
  const both = await Promise.all([1, 2].map(() => new Publisher(world, newLeases()).publish(free, true)));
  expect(both.flatMap(sequencesOf)).toEqual([1]);
  expect((await listEvents(world, { limit: 10 })).data).toHaveLength(1);
});

test("later entries of a resource wait while another runner holds the resource's earlier entry", async () => {
  const [world, first, second] = [await newSubscribedWorld(), newLeases(), newLeases()];
  const { entries } = await paymentIn(world, first, true);
  await new Publisher(world, first).publish(entries.slice(0, 1), true);
  await Promise.all(entries.slice(1).map(({ key }) => first.release(key)));
  const left = await readOutbox(outboxPks(world));
  expect(left.map(({ firstSequence }) => firstSequence)).toEqual([1, null]);
  expect(await new Publisher(world, second).publish(left, true)).toEqual([]);
});

test('each event of a commit has a number, and the next commit follows the last', async () => {
  const [world, leases] = [await newSubscribedWorld(), newLeases()];
  const [one, other] = (await paymentIn(world, leases, true)).entries;
  const both = { ...one, events: [...(one?.events ?? []), ...(other?.events ?? [])] } as OutboxEntry;
  const next = (await paymentIn(world, leases)).entries;
  const published = await new Publisher(world, leases).publish([both, ...next], true);
  expect(published.map(({ events }) => events.map(({ sequence }) => sequence))).toEqual([[1, 2], [3]]);
});

test('a runner takes over what another published, under the same numbers and ids', async () => {
  const [world, dead] = [await newSubscribedWorld(), newLeases()];
  const [before] = await new Publisher(world, dead).publish((await paymentIn(world, dead)).entries, true);
  dead.close();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATER_MS });
  const left = await readOutbox(outboxPks(world));
  const [after] = await new Publisher(world, newLeases()).publish(left, true);
  vi.useRealTimers();
  expect(after?.events).toEqual(before?.events);
});

test('a publisher goes on where its last publication has ended', async () => {
  const [world, leases] = [await newSubscribedWorld(), newLeases()];
  const publisher = new Publisher(world, leases);
  const sequences = [];
  for (let round = 0; round < 3; round += 1) {
    const { entries } = await paymentIn(world, leases, true);
    sequences.push(...sequencesOf(await publisher.publish(entries, true)));
  }
  expect(sequences).toEqual([1, 2, 3, 4, 5, 6]);
});

test('publishers at the same time leave no number out', async () => {
  const [world, leases] = [await newSubscribedWorld(), newLeases()];
  const all = await Promise.all([1, 2, 3].map(() => paymentIn(world, leases)));
  const published = await Promise.all(
    all.map(({ entries }) => new Publisher(world, leases).publish(entries, true)),
  );
  expect(published.flatMap(sequencesOf).toSorted()).toEqual([1, 2, 3]);
});

describe('an entry whose runner ended after it had noted its number', () => {
  /** Two entries: the first has the number 1, and its events are not stored. */
  async function leaveNumbered() {
    const [world, dead] = [await newSubscribedWorld(), newLeases()];
    const { id, entries } = await paymentIn(world, dead);
    const [entry] = entries as [OutboxEntry];
    expect(await writeOne(noteSequence(entry, 1, dead.lease))).toBe(true);
    dead.close();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATER_MS });
    onTestFinished(() => void vi.useRealTimers());
    const read = () => readOutbox(outboxPks(world));
    expect((await read()).map(({ firstSequence }) => firstSequence)).toEqual([1]);
    return { world, id, read };
  }

  test('is published under that number by the runner that takes it over', async () => {
    const { world, id, read } = await leaveNumbered();
    expect(sequencesOf(await new Publisher(world, newLeases()).publish(await read(), true))).toEqual([1]);
    const { data } = await listEvents(world, { limit: 10 });
    expect(data.map(({ sequence, resourceId }) => [sequence, resourceId])).toEqual([[1, id]]);
  });

  test("is published under another number, where another entry's events have that one by now", async () => {
    const { world, id, read } = await leaveNumbered();
    const leases = newLeases();
    const other = await paymentIn(world, leases);
    expect(sequencesOf(await new Publisher(world, leases).publish(other.entries, true))).toEqual([1]);
    const publisher = new Publisher(world, newLeases());
    const left = async () => (await read()).filter(({ resourceId }) => resourceId === id);
    expect(await publisher.publish(await left(), true)).toEqual([]);
    expect(sequencesOf(await publisher.publish(await left(), true))).toEqual([2]);
    const { data } = await listEvents(world, { limit: 10 });
    expect(data.map(({ resourceId }) => resourceId)).toEqual([id, other.id]);
  });
});

test('a publisher that stalled leaves an entry to the runner that took it over', async () => {
  const [world, stalled] = [await newSubscribedWorld(), newLeases()];
  const { entries } = await paymentIn(world, stalled);
  const held = await heldAt(isStep('publish entry'), () =>
    new Publisher(world, stalled).publish(entries, true),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATER_MS });
  onTestFinished(() => void vi.useRealTimers());
  const [after] = await new Publisher(world, newLeases()).publish(await readOutbox(outboxPks(world)), true);
  expect(await held.letGo()).toEqual([]);
  const { data } = await listEvents(world, { limit: 10 });
  expect(data.map(({ id }) => id)).toEqual(after?.events.map(({ id }) => id));
});

test('a published entry whose endpoints are all deleted leaves the outbox', async () => {
  const [world, dead] = [await newSubscribedWorld([]), newLeases()];
  await new Publisher(world, dead).publish((await paymentIn(world, dead, true)).entries, true);
  dead.close();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + LATER_MS });
  onTestFinished(() => void vi.useRealTimers());
  const [leases, tasks, deadlineMs] = [newLeases(), new TaskGroup(), Date.now() + LATER_MS];
  const baseUrl = 'http://127.0.0.1:9';
  const dispatcher = new Dispatcher(world, { baseUrl, poster: new Poster(), deadlineMs, leases, tasks });
  dispatcher.add(await readOutbox(outboxPks(world)));
  while (!tasks.isEmpty) {
    await tasks.progress(deadlineMs);
  }
  expect(await countOutbox(world)).toBe(0);
});
