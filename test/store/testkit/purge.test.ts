import { describe, expect, test } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { OutboxEntry } from '../../../shared/store/events/outbox.ts';
import type { StoredPurge } from '../../../shared/store/testkit/purge.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { aDelivery, anEndpoint } from '../../support/world/entities.ts';
import { newKey } from '../../support/world/merchant.ts';
import { worldOf } from '../../support/world/resources.ts';
import { storedItems } from '../../support/world/stored-items.ts';

const { commit } = await import('../../../shared/store/table/commit.ts');
const { logDeliveries } = await import('../../../shared/store/events/delivery.ts');
const { insertEvents, nextSequence, noteEventBlock } = await import(
  '../../../shared/store/events/event-log.ts'
);
const { insertJob, keyOfJob } = await import('../../../shared/store/scheduler/job.ts');
const { leaseKey } = await import('../../../shared/store/table/keys.ts');
const { getItem } = await import('../../../shared/store/table/item.ts');
const { insertOutboxEntry, noteSequence, readOutboxOf } = await import(
  '../../../shared/store/events/outbox.ts'
);
const { Leases } = await import('../../../shared/store/scheduler/lease.ts');
const { countPurged, deleteSomeOf, endEpoch } = await import('../../../shared/store/testkit/purge.ts');
const { writeEndpoint } = await import('../../../shared/store/events/endpoint.ts');
const { takeNumber } = await import('../../../shared/store/worlds/world.ts');

const FAR_MS = Date.now() + 300 * 86_400_000;
/** Of a runner that never ends. */
const LEASE = { owner: 'a test', leaseEndsAtMs: FAR_MS };
const SINK = 'snk_01h455vb4pex5vsknk084sn02q';

function purgeOf({ epoch, counts, eventBlock }: StoredWorld): StoredPurge {
  return { actionId: newId('act', 0), epoch, counts, eventBlock, resetAtMs: Date.now() };
}

async function end(read: StoredWorld): Promise<boolean> {
  return (await commit(endEpoch(read, 'purge', purgeOf(read)))).kind === 'committed';
}

/** Publishes events as one commit, where a world's log ends or at a firstSequence. */
async function publish(world: StoredWorld, howMany: number, at?: number, entry?: string) {
  const firstSequence = at ?? (await nextSequence(world));
  const events = Array.from({ length: howMany }, (_, nth) => {
    const sequence = firstSequence + nth;
    const id = newId('evt', 0, sequence);
    const body = JSON.stringify({ id, type: 'payment.created', data: { object: { id: 'pay_1' } } });
    return { id, type: 'payment.created', resourceId: 'pay_1', sequence, firstSequence, body };
  });
  return commit([insertEvents(world, events, Date.now(), entry)]);
}

/** Leaves an undispatched outbox entry, which no runner takes. */
function leaveInOutbox(
  world: StoredWorld,
  version: number,
  howMany: number,
  supersededJobs: OutboxEntry['supersededJobs'] = [],
) {
  const event = {
    type: 'payment.created',
    resourceId: 'pay_1',
    occurredAtMs: 0,
    previousStatus: null,
    object: { id: 'pay_1' },
    request: { id: null, idempotencyKey: null },
  } as const;
  const contents = { events: Array.from({ length: howMany }, () => event), supersededJobs };
  return commit([insertOutboxEntry(world, { id: 'pay_1', version }, contents, LEASE, FAR_MS)]);
}

async function deleteAll(world: StoredWorld, purge: StoredPurge, atMost: number): Promise<number[]> {
  const deleted: number[] = [];
  do {
    deleted.push(await deleteSomeOf(world, { purge, endpointIds: [SINK] }, atMost));
  } while (deleted.at(-1) !== 0);
  return deleted;
}

describe('a purge counts and deletes all', () => {
  test.each([
    ['a payment is numbered', (world: StoredWorld) => takeNumber(world, 'payment')],
    ['a settlement is numbered', (world: StoredWorld) => takeNumber(world, 'settlement')],
  ])('even where %s while it begins', async (_, happens) => {
    const { merchant } = await newKey();
    const read = await worldOf(merchant);
    await happens(read);
    expect(await end(read)).toBe(false);
    const current = await worldOf(merchant);
    expect(current.epoch).toBe(read.epoch);
    expect(await end(current)).toBe(true);
    expect(await worldOf(merchant)).toEqual({ ...read, epoch: read.epoch + 1 });
  });

  test('even where events are published while it begins, beyond the block that it knew of', {
    tags: 'slow',
  }, async () => {
    const { merchant } = await newKey();
    const read = await worldOf(merchant);
    await publish(read, 3, 999);
    await noteEventBlock(read, 0);
    const purge = purgeOf(await worldOf(merchant));
    expect((await commit(endEpoch(await worldOf(merchant), 'purge', purge))).kind).toBe('committed');
    await publish({ ...read, eventBlock: 0 }, 2);
    const world = await worldOf(merchant);
    expect(world).toEqual({ ...read, epoch: read.epoch + 1, eventBlock: null });
    expect(await nextSequence(world)).toBe(1);
    expect((await countPurged(world, purge)).content.events).toBe(1_003);
    // A late note about the ended epoch does not change where the next one's log ends.
    await noteEventBlock(read, 1);
    expect((await worldOf(merchant)).eventBlock).toBeNull();
    expect(await storedItems(merchant)).toHaveLength(2);
    await deleteAll(world, purge, 10);
    expect(await storedItems(merchant)).toEqual([]);
  });

  test('undispatched events, deliveries, jobs and the lease of a clock move', { tags: 'slow' }, async () => {
    const { merchant } = await newKey();
    const before = await worldOf(merchant);
    await publish(before, 2);
    await leaveInOutbox(before, 1, 2);
    await leaveInOutbox(before, 2, 3);
    await commit([writeEndpoint(before, { before: null, after: anEndpoint({ id: SINK }) })]);
    const ids = [newId('dlv', 1, 1), newId('dlv', 1, 2), newId('dlv', 2, 3)];
    const [one, two, three] = ids.map((id) => aDelivery({ id, endpointId: SINK }));
    await commit([
      logDeliveries(before, [one, two] as NonNullable<typeof one>[], Date.now()),
      logDeliveries(before, [three as NonNullable<typeof three>], Date.now()),
    ]);
    await commit([
      insertJob(before, { kind: 'expire-payment', dueAtMs: FAR_MS, paymentId: 'pay_1' }),
      insertJob(before, {
        kind: 'deliver-event',
        dueAtMs: FAR_MS,
        eventId: 'evt_1',
        resourceId: 'pay_1',
        endpointId: SINK,
        attempt: 2,
        sequence: 1,
      }),
    ]);
    const leases = new Leases(60_000);
    expect(await leases.take(leaseKey(before), { mustExist: false })).toBe(true);
    leases.close();
    const purge = purgeOf(before);
    expect((await commit(endEpoch(before, 'purge', purge))).kind).toBe('committed');
    const world = await worldOf(merchant);
    // Each undispatched event and each pending attempt counts as one, however they are stored.
    expect((await countPurged(world, purge)).content).toMatchObject({
      events: 2,
      jobs: 1,
      outbox: 2 + 3 + 1,
    });
    // In small steps, none of them larger than the limit.
    const deleted = await deleteAll(world, purge, 2);
    expect(Math.max(...deleted)).toBeLessThanOrEqual(2);
    expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(1 + 2 + 2 + 2 + 1 + 1);
    expect(await storedItems(merchant)).toEqual([]);
    expect(await getItem(leaseKey(before))).toBeUndefined();
  });
});

describe('a purge counts what was canceled once', () => {
  /** A world with an entry of two events in its outbox. */
  async function worldWithEntry(
    supersedes: (world: StoredWorld) => OutboxEntry['supersededJobs'] = () => [],
  ) {
    const { merchant } = await newKey();
    const before = await worldOf(merchant);
    await leaveInOutbox(before, 1, 2, supersedes(before));
    const [entry] = (await readOutboxOf(before, 'pay_1')) as [OutboxEntry];
    const counted = async () => {
      const purge = purgeOf(before);
      expect((await commit(endEpoch(before, 'purge', purge))).kind).toBe('committed');
      return (await countPurged(await worldOf(merchant), purge)).content;
    };
    return { before, entry, counted };
  }

  test('an entry whose events are published, and that a runner still delivers', async () => {
    const { before, entry, counted } = await worldWithEntry();
    await commit([noteSequence({ ...entry, lease: LEASE }, 1, LEASE)]);
    await publish(before, 2, 1, entry.key.sk);
    expect(await counted()).toMatchObject({ events: 2, outbox: 0 });
  });

  test('an entry with a number at which no events are stored yet', async () => {
    const { entry, counted } = await worldWithEntry();
    await commit([noteSequence(entry, 1, LEASE)]);
    expect(await counted()).toMatchObject({ events: 0, outbox: 2 });
  });

  test("an entry whose number another entry's events have taken", async () => {
    const { before, entry, counted } = await worldWithEntry();
    await commit([noteSequence(entry, 1, LEASE)]);
    await publish(before, 1, 1, 'pay_2#1');
    expect(await counted()).toMatchObject({ events: 1, outbox: 2 });
  });

  test('no job that a change has superseded, while its runner has not removed it', async () => {
    const job = { kind: 'expire-payment', dueAtMs: FAR_MS, paymentId: 'pay_1' } as const;
    const { before, counted } = await worldWithEntry((world) => [keyOfJob(world, job)]);
    await commit([insertJob(before, job)]);
    expect(await counted()).toMatchObject({ jobs: 0, outbox: 2 });
  });
});
