import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import '../../support/world/merchant.ts';
import type { DomainEvent } from '../../../shared/domain/event.ts';
import type { World } from '../../../shared/domain/world.ts';
import type { OutboxEntry } from '../../../shared/store/events/outbox.ts';
import { aWorld } from '../../support/world/entities.ts';

const { commit } = await import('../../../shared/store/table/commit.ts');
const { getItem } = await import('../../../shared/store/table/item.ts');
const { outboxPkOf, outboxPks } = await import('../../../shared/store/table/keys.ts');
const {
  countOutbox,
  entriesIn,
  insertOutboxEntry,
  forgetSequence,
  noteSequence,
  readOutbox,
  removePublished,
  rewriteEntry,
} = await import('../../../shared/store/events/outbox.ts');
const { findDueWork } = await import('../../../shared/store/scheduler/due.ts');
const { writeAll } = await import('../../../shared/store/table/write-all.ts');

/** Long after the test is over, so that the clock leaves its entries alone. */
const FAR_MS = Date.now() + 365 * 86_400_000;
/** How long the table's stream has to wake a runner. */
const FRESH_MS = 5_000;
const PAYMENT = 'pay_01h455vb4pex5vsknk084sn02q';

async function findEntry({ pk, sk }: OutboxEntry['key']): Promise<OutboxEntry | null> {
  return (await readOutbox([pk])).find(({ key }) => key.sk === sk) ?? null;
}

/** A world that no runner knows, and that is deleted after the test. */
function newWorld(): World {
  const world = { ...aWorld(), id: randomBytes(8).toString('hex') };
  onTestFinished(async () => {
    const entries = await readOutbox(outboxPks(world));
    await writeAll(
      [],
      entries.map(({ key }) => key),
    );
  });
  return world;
}

function anEvent(note: string, resourceId = PAYMENT): DomainEvent {
  return {
    type: 'payment.created',
    resourceId,
    occurredAtMs: 1_000,
    previousStatus: null,
    // The order of the fields is the one that the API promises.
    object: { id: resourceId, '2': 1, note, '10': null, a: ['ก'] },
    request: { id: 'req_1', idempotencyKey: null },
  };
}

interface EntryParts {
  readonly id?: string;
  readonly version?: number;
  readonly events?: readonly DomainEvent[];
  readonly supersededJobs?: OutboxEntry['supersededJobs'];
  readonly lease?: { owner: string; leaseEndsAtMs: number } | null;
  readonly realNowMs?: number;
}

function insertOf(world: World, parts: EntryParts = {}) {
  const { id = PAYMENT, version = 1, events = [anEvent('one', id)], supersededJobs = [] } = parts;
  const { lease = null, realNowMs = FAR_MS } = parts;
  return insertOutboxEntry(world, { id, version }, { events, supersededJobs }, lease, realNowMs);
}

/** Puts an entry into the outbox, and reads it back. */
async function put(world: World, parts: EntryParts = {}) {
  const write = insertOf(world, parts);
  expect((await commit([write])).kind).toBe('committed');
  const [entry] = entriesIn([write]);
  return entry as NonNullable<typeof entry>;
}

const leaseOf = (owner: string, forMs = 60_000) => ({ owner, leaseEndsAtMs: Date.now() + forMs });

describe('an entry of the outbox', () => {
  test('is read as it was written, and equals the entry that the writer got', async () => {
    const world = newWorld();
    const parts = {
      events: [anEvent('one'), anEvent('two')],
      supersededJobs: [{ pk: 'a#JOBS#1', sk: 'b' }] as const,
      lease: leaseOf('me'),
    };
    const entry = await put(world, parts);
    const [read] = await readOutbox([entry.key.pk]);
    expect(read).toMatchObject({ ...parts, resourceId: PAYMENT, firstSequence: null });
    expect(JSON.stringify(read?.events)).toBe(JSON.stringify(parts.events));
    expect(entry).toMatchObject({ ...parts, key: read?.key, resourceId: PAYMENT, firstSequence: null });
    expect(await findEntry(entry.key)).toEqual(read);
    expect(Buffer.from(entry.data)).toEqual(Buffer.from(read?.data ?? []));
    expect((await put(world, { version: 2 })).lease).toBeNull();
  });

  test("comes after the entries of its resource's earlier changes, one for each change", async () => {
    const world = newWorld();
    for (const version of [10, 9, 100, 2, 1]) {
      await put(world, { version, events: [anEvent(`version ${version}`)] });
    }
    const entries = await readOutbox([outboxPkOf(world, PAYMENT)]);
    expect(entries.map(({ events }) => events[0]?.object.note)).toEqual(
      [1, 2, 9, 10, 100].map((version) => `version ${version}`),
    );
    expect((await commit([insertOf(world, { version: 9 })])).kind).toBe('conflict');
  });

  test('is found with all others of its world, in whatever partition, and counted', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    expect(await countOutbox(world)).toBe(0);
    const ids = Array.from({ length: 40 }, (_, nth) => `pay_${nth}`);
    for (const id of ids) {
      await put(world, { id });
    }
    const entries = await readOutbox(outboxPks(world));
    expect(entries.map(({ resourceId }) => resourceId).toSorted()).toEqual(ids.toSorted());
    expect(new Set(entries.map(({ key }) => key.pk)).size).toBe(outboxPks(world).length);
    for (const { key, resourceId } of entries) {
      expect(key.pk).toBe(outboxPkOf(world, resourceId));
    }
    expect(await countOutbox(world)).toBe(40);
    expect(await countOutbox({ ...world, epoch: 2 })).toBe(0);
    await commit([removePublished(entries[0] as (typeof entries)[0], leaseOf('me'))]);
    expect(await countOutbox(world)).toBe(39);
  });

  test('that cannot be read fails the read, unless the caller passes over broken entries', async () => {
    const world = newWorld();
    const [good, broken] = [await put(world), await put(world, { version: 2 })];
    await writeAll([{ ...broken.key, kind: 'outbox', data: Buffer.from('not packed') }], []);
    const pks = [good.key.pk];
    await expect(readOutbox(pks)).rejects.toThrow('no dictionary');
    const passedOver: unknown[] = [];
    const read = await readOutbox(pks, { onBroken: (key) => passedOver.push(key) });
    expect(read.map(({ key }) => key)).toEqual([good.key]);
    expect(passedOver).toEqual([broken.key]);
    await writeAll([], [broken.key]);
  });

  test('wakes a runner by the stream only if no runner holds it from the start', async () => {
    const world = newWorld();
    const [free, held] = [await put(world), await put(world, { version: 2, lease: leaseOf('me') })];
    expect((await getItem(free.key))?.kind).toBe('outbox');
    expect((await getItem(held.key))?.kind).toBe('outbox-held');
  });

  test('is found by the clock tick only after runners have had the time to dispatch it', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    // Long ago, so that nothing of other tests lies in between.
    const writtenAtMs = 500;
    const { key } = await put(world, { realNowMs: writtenAtMs, lease: leaseOf('me') });
    const foundAt = async (realMs: number) => (await findDueWork('test', realMs)).pks.get(world.id);
    expect(await foundAt(writtenAtMs + FRESH_MS - 1)).toBeUndefined();
    expect(await foundAt(writtenAtMs + FRESH_MS)).toEqual(new Set([key.pk]));
  });
});

describe('an entry is published', () => {
  test('once, by any runner, with or without subscribed endpoints', async () => {
    const world = newWorld();
    const entry = await put(world);
    const writes = [
      () => noteSequence(entry, 7, leaseOf('one')),
      () => noteSequence(entry, 8, leaseOf('one')),
      () => noteSequence(entry, 8, leaseOf('other')),
      () => removePublished(entry, leaseOf('other')),
      () => removePublished(entry, leaseOf('one')),
    ];
    const kinds: string[] = [];
    for (const write of writes) {
      kinds.push((await commit([write()])).kind);
    }
    expect(kinds).toEqual(['committed', ...Array(4).fill('conflict')]);
    expect(await findEntry(entry.key)).toMatchObject({
      firstSequence: 7,
      lease: { owner: 'one' },
      events: entry.events,
    });
  });

  test('and removed at once if no endpoint subscribes to it', async () => {
    const world = newWorld();
    const entry = await put(world);
    expect((await commit([removePublished(entry, leaseOf('me'))])).kind).toBe('committed');
    expect(await findEntry(entry.key)).toBeNull();
    for (const write of [removePublished(entry, leaseOf('me')), noteSequence(entry, 1, leaseOf('me'))]) {
      expect((await commit([write])).kind).toBe('conflict');
    }
    expect(await findEntry(entry.key)).toBeNull();
  });

  test("only by its holder, until the holder's lease ends", async () => {
    const world = newWorld();
    const held = await put(world, { lease: leaseOf('holder') });
    const tryAs = async (owner: string, entry = held) => {
      const [noted, removed] = [
        noteSequence(entry, 1, leaseOf(owner)),
        removePublished(entry, leaseOf(owner)),
      ];
      return [(await commit([removed])).kind, (await commit([noted])).kind];
    };
    expect(await tryAs('other')).toEqual(['conflict', 'conflict']);
    expect((await commit([noteSequence(held, 1, leaseOf('holder'))])).kind).toBe('committed');
    const ended = await put(world, { version: 2, lease: leaseOf('dead', -1) });
    expect((await commit([noteSequence(ended, 2, leaseOf('other'))])).kind).toBe('committed');
  });

  test('only as it was read: not where it was rewritten since', async () => {
    const world = newWorld();
    const supersededJobs = [{ pk: 'a#JOBS#1', sk: 'b' }] as const;
    const read = await put(world, {
      events: [anEvent('one'), anEvent('two')],
      supersededJobs,
      lease: leaseOf('me'),
    });
    const rewritten = [anEvent('one'), anEvent('')];
    expect((await commit([rewriteEntry(read, rewritten)])).kind).toBe('committed');
    for (const write of [noteSequence(read, 1, leaseOf('me')), removePublished(read, leaseOf('me'))]) {
      expect(await commit([write])).toEqual({ kind: 'conflict', failed: [0] });
    }
    const now = await findEntry(read.key);
    // Its other attributes stay.
    expect(now).toMatchObject({ events: rewritten, supersededJobs, firstSequence: null, lease: read.lease });
    expect((await commit([noteSequence(now ?? read, 1, leaseOf('me'))])).kind).toBe('committed');
  });
});

describe('a held entry', () => {
  test('can be left out, unless a later entry of its resource is not held', async () => {
    const world = newWorld();
    const alone = 'pay_01h455vb4pex5vsknk084sn02r';
    await put(world, { id: alone, lease: leaseOf('other') });
    await put(world, { lease: leaseOf('other') });
    const pks = outboxPks(world);
    expect(await readOutbox(pks, { leavesHeld: true })).toEqual([]);
    await put(world, { version: 2 });
    const read = await readOutbox(pks, { leavesHeld: true });
    expect(read.map(({ resourceId, lease }) => [resourceId, lease?.owner])).toEqual([
      [PAYMENT, 'other'],
      [PAYMENT, undefined],
    ]);
    expect(await readOutbox(pks)).toHaveLength(3);
  });
});

describe('an entry is rewritten', () => {
  test('only as it was read, and never brought back', async () => {
    const world = newWorld();
    const read = await put(world);
    expect((await commit([rewriteEntry(read, [anEvent('two')])])).kind).toBe('committed');
    expect((await commit([rewriteEntry(read, [anEvent('three')])])).kind).toBe('conflict');
    const now = (await findEntry(read.key)) ?? read;
    expect(now.events).toEqual([anEvent('two')]);
    await commit([removePublished(now, leaseOf('me'))]);
    expect((await commit([rewriteEntry(now, [anEvent('four')])])).kind).toBe('conflict');
    expect(await findEntry(read.key)).toBeNull();
  });

  test('only where it has the number that it was read with, or none', async () => {
    const world = newWorld();
    const entry = await put(world);
    await commit([noteSequence(entry, 7, leaseOf('me'))]);
    expect((await commit([rewriteEntry(entry, [anEvent('')])])).kind).toBe('conflict');
    const noted = (await findEntry(entry.key)) ?? entry;
    expect((await commit([rewriteEntry(noted, [anEvent('')])])).kind).toBe('committed');
    expect(await findEntry(entry.key)).toMatchObject({
      firstSequence: 7,
      lease: { owner: 'me' },
      events: [anEvent('')],
    });
  });
});

describe('the number of an entry', () => {
  test('is forgotten by its holder alone, and only where it is the one that was read', async () => {
    const world = newWorld();
    const entry = await put(world);
    await commit([noteSequence(entry, 7, leaseOf('me'))]);
    const noted = (await findEntry(entry.key)) ?? entry;
    const outcomes = [];
    for (const [owner, firstSequence] of [
      ['other', 7],
      ['me', 6],
      ['me', 7],
      ['me', 7],
    ] as const) {
      outcomes.push((await commit([forgetSequence({ ...noted, firstSequence }, leaseOf(owner))])).kind);
    }
    expect(outcomes).toEqual(['conflict', 'conflict', 'committed', 'conflict']);
    expect(await findEntry(entry.key)).toMatchObject({ firstSequence: null, events: entry.events });
  });
});
