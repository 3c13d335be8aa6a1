import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { PublishedEvent } from '../../../shared/domain/published-event.ts';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import type { ListPage } from '../../../shared/store/table/list.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { lagReads } from '../../support/faults/lagging-reads.ts';
import { countUnits } from '../../support/world/consumed-units.ts';
import { aWorld } from '../../support/world/entities.ts';
import { newKey } from '../../support/world/merchant.ts';
import { endEpochOf, worldOf } from '../../support/world/resources.ts';

const { callTable, dynamodb } = await import('../../../shared/store/table/client.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const {
  findEvent,
  followEvents,
  getEvent,
  insertEvents,
  listEvents,
  nextSequence,
  noteEventBlock,
  readEventsAt,
} = await import('../../../shared/store/events/event-log.ts');
const { eventsKey } = await import('../../../shared/store/table/keys.ts');
const { itemsOf, writeAll } = await import('../../../shared/store/table/write-all.ts');

const DAY_MS = 86_400_000;
/** Longer than events are kept. */
const LONG_AGO_MS = 400 * DAY_MS;
/** Longer than a commit may be visible only in part. */
const A_WHILE_AGO_MS = 2 * 60_000;
/** The numbers in a block of the log. */
const BLOCK = 1_000;
/** Far more calls than any page needs. */
const CALLS_MAX = 200;
const AT_MS = Date.UTC(2026, 10, 2);

afterEach(() => {
  vi.restoreAllMocks();
});

/** A world of which only the log exists, so that only the test publishes in it. */
function newWorld(eventBlock: number | null = null): StoredWorld {
  return { ...aWorld(), id: randomBytes(8).toString('hex'), eventBlock };
}

interface About {
  readonly resourceId?: string;
  readonly types?: readonly string[];
  readonly more?: string;
}

/** The events of one commit, the first with this number. */
function eventsAt(
  firstSequence: number,
  howMany = 1,
  { resourceId = 'pay_1', types = [], more }: About = {},
) {
  return Array.from({ length: howMany }, (_, nth): PublishedEvent => {
    const sequence = firstSequence + nth;
    const id = newId('evt', AT_MS, sequence);
    const type = types[nth % types.length] ?? 'payment.created';
    const body = JSON.stringify({ id, type, sequence, data: { object: { id: resourceId, more } } });
    return { id, type, resourceId, sequence, firstSequence, body };
  });
}

/** Publishes as of now, or as of earlier. */
function publish(world: StoredWorld, events: readonly PublishedEvent[], realNowMs = Date.now()) {
  return commit([insertEvents(world, events, realNowMs)]);
}

/** Puts commits of these sizes into a log, one after the other. @returns all of their events */
async function fill(
  world: StoredWorld,
  sizes: readonly number[],
  about: (nth: number) => About = () => ({}),
) {
  let firstSequence = 1;
  const commits = sizes.map((size, nth) => {
    const events = eventsAt(firstSequence, size, about(nth));
    firstSequence += size;
    return events;
  });
  await writeAll(itemsOf(commits.map((events) => insertEvents(world, events, Date.now()))), []);
  return commits.flat();
}

/** DynamoDB deletes expired items some days later and in any order. */
async function deleteAt(world: StoredWorld, ...firstSequences: number[]): Promise<void> {
  for (const firstSequence of firstSequences) {
    await callTable('DeleteItem', { Key: eventsKey(world, firstSequence) });
  }
}

type Query = Omit<Parameters<typeof listEvents>[1], 'after'>;

/** All pages of a list. */
async function pagesOf(world: StoredWorld, query: Query) {
  const pages: ListPage<PublishedEvent>[] = [];
  let after: string | undefined;
  do {
    const page = await listEvents(world, { ...query, after });
    pages.push(page);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
  return pages;
}

const sequencesIn = (pages: readonly ListPage<PublishedEvent>[]) =>
  pages.flatMap(({ data }) => data.map(({ sequence }) => sequence));
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

/** Counts calls to the store, and fails a caller that makes far too many. */
function countCalls() {
  let calls = 0;
  const stop = interceptCalls(dynamodb, async (_call, next) => {
    calls += 1;
    if (calls > CALLS_MAX) {
      throw new Error('too many calls');
    }
    return next();
  });
  onTestFinished(stop);
  return () => calls;
}

describe('a filtered page of the log', () => {
  /** What a filter may cost that matches at once, against the same page without it. */
  const TIMES_MAX = 3;

  test.each([
    ['every commit matches', 1],
    ['every second commit matches', 2],
  ])('costs at most three times the page without a filter, where %s', { tags: 'slow' }, async (_, every) => {
    const world = newWorld();
    await fill(world, Array(700).fill(2), (nth) => ({
      resourceId: `pay_${nth % every}`,
      types: nth % every === 0 ? ['payment.created', 'payment.succeeded'] : ['payment.failed'],
    }));
    const limit = 20;
    const units = countUnits();
    const costOf = async (read: Promise<unknown>) => {
      await read;
      return units();
    };
    const listed = await costOf(listEvents(world, { limit }));
    const followed = await costOf(followEvents(world, { limit, afterSequence: 500 }));
    const filters = [{ type: 'payment.succeeded' }, { resourceId: 'pay_0' }] as const;
    for (const filter of filters) {
      const following = followEvents(world, { limit, afterSequence: 500, ...filter });
      expect((await costOf(following)) / followed, JSON.stringify(filter)).toBeLessThanOrEqual(TIMES_MAX);
      expect((await following).events).toHaveLength(limit);
    }
    const [type, resource] = filters;
    const listing = listEvents(world, { limit, ...type });
    expect((await costOf(listing)) / listed).toBeLessThanOrEqual(TIMES_MAX);
    expect((await listing).data).toHaveLength(limit);
    const ofResource = await costOf(listEvents(world, { limit, ...resource }));
    const both = await costOf(listEvents(world, { limit, ...resource, ...type }));
    expect(both / ofResource).toBeLessThanOrEqual(TIMES_MAX);
  });
});

describe('sequence numbers', () => {
  test('begin with 1 and go on after the last event of a commit, however many it has', async () => {
    const world = newWorld();
    expect(await nextSequence(world)).toBe(1);
    await publish(world, eventsAt(1, 3));
    expect(await nextSequence(world)).toBe(4);
    await publish(world, eventsAt(4));
    expect(await nextSequence(world)).toBe(5);
  });

  test('are given out once: of two publishers at the same firstSequence, one finds it taken', async () => {
    const world = newWorld();
    const [one, other] = [eventsAt(1, 3), eventsAt(1)];
    const outcomes = await Promise.all([publish(world, one), publish(world, other)]);
    expect(outcomes.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'committed' },
      { kind: 'conflict', failed: [0] },
    ]);
    const first = outcomes[0]?.kind === 'committed' ? one : other;
    expect(await readEventsAt(world, 1)).toEqual(first);
    expect(await publish(world, eventsAt(1, 2))).toEqual({ kind: 'conflict', failed: [0] });
  });

  test.each([
    [1_000, 1, 1_001],
    [998, 3, 1_001],
    [1_000, 2, 1_002],
    [999, 3, 1_002],
  ])(
    'go on over the end of a block: after %i with %i events comes %i',
    async (firstSequence, howMany, next) => {
      const world = newWorld();
      await publish(world, eventsAt(firstSequence, howMany));
      // Known or not: the world learns the end of the log late.
      for (const eventBlock of [null, 0]) {
        expect(await nextSequence({ ...world, eventBlock })).toBe(next);
      }
      await publish(world, eventsAt(next, 2));
      for (const eventBlock of [null, 0, 1]) {
        expect(await nextSequence({ ...world, eventBlock })).toBe(next + 2);
      }
    },
  );

  test.each([
    ['all of them', 990, [990, 999]],
    ['all of them, of which the last reached over the end of its block', 999, [990, 999]],
    ['the newest of them', 990, [999]],
    ['none of them yet', 990, []],
  ])('are not given out again when their events have expired and are deleted: %s', async (_, last, gone) => {
    const world = newWorld(0);
    const [first, second] = [eventsAt(980, 2), eventsAt(last === 990 ? 990 : 999, 3)];
    for (const events of [first, second]) {
      await publish(world, events, Date.now() - LONG_AGO_MS);
    }
    await deleteAt(world, ...(gone.length === 2 ? [980, last] : gone.length === 1 ? [last] : []));
    expect(await nextSequence(world)).toBeGreaterThan(last + 2);
  });

  test('go on after those that were given out since all earlier ones were deleted', async () => {
    const world = newWorld(0);
    const next = await nextSequence(world);
    expect(next).toBeGreaterThan(BLOCK);
    await publish(world, eventsAt(next, 2));
    // The world may not say yet that the log goes on in another block.
    expect(await nextSequence(world)).toBe(next + 2);
    expect(await nextSequence({ ...world, eventBlock: 1 })).toBe(next + 2);
  });

  test('are never too high after a late read, and right when it misses a block that has begun', async () => {
    const world = newWorld();
    await publish(world, eventsAt(1, 3));
    await publish(world, eventsAt(1_001, 2));
    const end = lagReads();
    onTestFinished(end);
    const late = { mayBeLate: true };
    expect(await nextSequence(world, late)).toBe(1);
    expect(await nextSequence({ ...world, eventBlock: 1 }, late)).toBe(1_003);
    expect(await nextSequence({ ...world, eventBlock: 1 })).toBe(1_003);
  });

  test('start from 1 after a purge, and earlier ones stay apart', async () => {
    const world = newWorld();
    const before = eventsAt(1, 3);
    await publish(world, before);
    const purged = { ...world, epoch: world.epoch + 1 };
    expect(await nextSequence(purged)).toBe(1);
    expect(await findEvent(purged, String(before[1]?.id))).toBeNull();
    expect(await listEvents(purged, { limit: 10 })).toEqual({ data: [], nextCursor: null });
    expect(await listEvents(purged, { limit: 10, resourceId: 'pay_1' })).toEqual({
      data: [],
      nextCursor: null,
    });
    const after = eventsAt(1);
    expect(await publish(purged, after)).toEqual({ kind: 'committed' });
    expect(await findEvent(purged, String(after[0]?.id))).toEqual(after[0]);
    expect(await readEventsAt(world, 1)).toEqual(before);
  });

  test('are looked up from the last known end, which only moves forwards, within its epoch', async () => {
    const { merchant } = await newKey();
    const world = await worldOf(merchant);
    expect(world.eventBlock).toBeNull();
    const noted = async (block: number, read = world) => {
      await noteEventBlock(read, block);
      return (await worldOf(merchant)).eventBlock;
    };
    expect(await noted(0)).toBe(0);
    expect(await noted(2)).toBe(2);
    expect(await noted(1)).toBe(2);
    await endEpochOf(world);
    expect(await noted(3)).toBeNull();
    await noteEventBlock(newWorld(), 1);
  });

  test('belong to events: a commit without any is refused', () => {
    expect(() => insertEvents(newWorld(), [], AT_MS)).toThrow('at least one event');
  });
});

describe('an event', () => {
  test('is found by its id wherever it lies: within a commit, and over the end of a block', async () => {
    const world = newWorld();
    const commits = [eventsAt(1, 3), eventsAt(4), eventsAt(999, 3)];
    for (const events of commits) {
      await publish(world, events);
    }
    const expectFound = async () => {
      for (const event of commits.flat()) {
        expect(await findEvent(world, event.id)).toEqual(event);
        expect(await getEvent(world, event.id)).toEqual(event);
      }
    };
    await expectFound();
    // Then the next block has events of its own.
    const later = [eventsAt(1_002, 2), eventsAt(1_004)];
    for (const events of later) {
      await publish(world, events);
    }
    commits.push(...later);
    await expectFound();
    const firstSequences = [999, 1, 999, 7];
    const read = await readEventsAt(world, ...firstSequences);
    expect(read.toSorted((a, b) => a.sequence - b.sequence)).toEqual([
      ...(commits[0] ?? []),
      ...(commits[2] ?? []),
    ]);
  });

  test('is not found by any other id', async () => {
    const world = newWorld();
    const [first, second] = eventsAt(1, 2);
    await publish(world, [first as PublishedEvent, second as PublishedEvent]);
    const { id } = second as PublishedEvent;
    for (const other of [
      id.replace('evt_', 'pay_'),
      id.toUpperCase(),
      `${id}#`,
      newId('evt', AT_MS, 2),
      newId('evt', AT_MS, 3),
      newId('evt', AT_MS, 2 ** 32 - 1),
      newId('evt', AT_MS),
      'evt_',
      '',
    ]) {
      expect(await findEvent(world, other), other).toBeNull();
      await expect(getEvent(world, other)).rejects.toMatchObject({ code: 'event_not_found' });
    }
    expect(await findEvent(newWorld(), id)).toBeNull();
    expect(await findEvent(world, id)).not.toBeNull();
  });

  test('is not shown once expired, even before its deletion', async () => {
    const world = newWorld();
    const [old, kept] = [eventsAt(1, 2), eventsAt(3, 2)];
    await publish(world, old, Date.now() - LONG_AGO_MS);
    await publish(world, kept);
    expect(await findEvent(world, String(old[1]?.id))).toBeNull();
    expect(await findEvent(world, String(kept[0]?.id))).toEqual(kept[0]);
    for (const resourceId of [undefined, 'pay_1']) {
      expect(await listEvents(world, { limit: 2, resourceId })).toEqual({
        data: kept.toReversed(),
        nextCursor: null,
      });
      expect(sequencesIn(await pagesOf(world, { limit: 1, resourceId }))).toEqual([4, 3]);
    }
  });
});

describe('the list of events', () => {
  /** Commits whose events reach over the ends of blocks, with each number of events. */
  const SIZES = Array.from({ length: 700 }, (_, nth) => [1, 2, 3, 7][nth % 4] ?? 1);

  test.each([100, 37])(
    'is complete, newest first, in pages of %i, through commits and over block ends',
    { tags: 'slow' },
    async (limit) => {
      const world = newWorld();
      const all = await fill(world, SIZES);
      expect(all.length).toBeGreaterThan(2 * BLOCK);
      const pages = await pagesOf(world, { limit });
      expect(pages.flatMap(({ data }) => data)).toEqual(all.toReversed());
      expect(pages.map(({ data }) => data.length).slice(0, -1)).toEqual(
        Array.from({ length: pages.length - 1 }, () => limit),
      );
      expect(pages).toHaveLength(Math.ceil(all.length / limit));
    },
  );

  test('goes on within a commit, and says at its last event that none follows', async () => {
    const world = newWorld();
    await fill(world, [2, 3, 1, 4]);
    for (let limit = 1; limit <= 11; limit += 1) {
      const pages = await pagesOf(world, { limit });
      expect(sequencesIn(pages), `pages of ${limit}`).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      expect(pages).toHaveLength(Math.ceil(10 / limit));
    }
    expect(await listEvents(newWorld(), { limit: 5 })).toEqual({ data: [], nextCursor: null });
  });

  test('can be filtered by resource, through its commits and over the ends of blocks', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    const all = await fill(world, SIZES, (nth) => ({ resourceId: `pay_${nth % 50}` }));
    const wanted = all.filter(({ resourceId }) => resourceId === 'pay_3').toReversed();
    expect(wanted).toHaveLength(7 * (7 + 2));
    for (const limit of [3, 20, 100]) {
      await expect
        .poll(async () => (await pagesOf(world, { limit, resourceId: 'pay_3' })).flatMap(({ data }) => data))
        .toEqual(wanted);
    }
    expect(await listEvents(world, { limit: 3, resourceId: 'pay_x' })).toEqual({
      data: [],
      nextCursor: null,
    });
  });

  test('can be filtered by type, however rare it is, and by resource too', { tags: 'slow' }, async () => {
    const world = newWorld();
    const all = await fill(world, SIZES, (nth) => ({
      resourceId: `pay_${nth % 2}`,
      // At both ends, beside events of other types of the same commit, and with hundreds of others in between.
      types: nth % 345 === 3 || nth === 0 ? ['payment.created', 'payment.succeeded'] : ['payment.failed'],
    }));
    const type = 'payment.succeeded';
    const wanted = all.filter((event) => event.type === type).toReversed();
    expect(wanted.length).toBeGreaterThan(3);
    for (const limit of [1, 2, 100]) {
      const pages = await pagesOf(world, { limit, type });
      expect(pages.flatMap(({ data }) => data)).toEqual(wanted);
      expect(Math.max(...pages.map(({ data }) => data.length))).toBeLessThanOrEqual(limit);
    }
    const ofOne = wanted.filter(({ resourceId }) => resourceId === 'pay_1');
    expect(ofOne.length).toBeGreaterThan(0);
    await expect
      .poll(async () =>
        (await pagesOf(world, { limit: 2, type, resourceId: 'pay_1' })).flatMap(({ data }) => data),
      )
      .toEqual(ofOne);
    expect(sequencesIn(await pagesOf(world, { limit: 2, type: 'refund.failed' }))).toEqual([]);
  });

  test('stays the same for a client that pages through it while new events come', async () => {
    const world = newWorld();
    await fill(world, [2, 2, 2]);
    const first = await listEvents(world, { limit: 3 });
    await publish(world, eventsAt(7, 3));
    const rest = await listEvents(world, { limit: 3, after: String(first.nextCursor) });
    expect(sequencesIn([first, rest])).toEqual([6, 5, 4, 3, 2, 1]);
    expect(rest.nextCursor).toBeNull();
  });

  test('is complete when its events are larger than one store response', { tags: 'slow' }, async () => {
    const world = newWorld();
    // Two megabytes, of which nothing can be packed.
    const more = () => ({ resourceId: 'pay_1', more: randomBytes(16_000).toString('base64') });
    const all = await fill(world, Array(60).fill(2), more);
    const wanted = all.map(({ sequence }) => sequence).toReversed();
    expect(sequencesIn(await pagesOf(world, { limit: 100 }))).toEqual(wanted);
    expect(sequencesIn(await pagesOf(world, { limit: 100, type: 'payment.created' }))).toEqual(wanted);
    expect(sequencesIn(await pagesOf(world, { limit: 100, resourceId: 'pay_1' }))).toEqual(wanted);
  });

  test('costs a few calls, for any number of events before the kept ones', async () => {
    const world = newWorld(200);
    await publish(world, eventsAt(200 * BLOCK + 1, 2));
    const calls = countCalls();
    const { data, nextCursor } = await listEvents(world, { limit: 10 });
    expect(data).toHaveLength(2);
    expect(nextCursor).toBeNull();
    expect(calls()).toBeLessThan(10);
  });

  test('refuses a cursor that it has not given out, or finds nothing there', async () => {
    const world = newWorld();
    await fill(world, [2]);
    const foreign = ['x', '', '0', '-1', '01', '1.5', '1e3', '0:evt_1', ' 1', '99999999999', '1\n'].map(
      cursorOf,
    );
    for (const after of [...foreign, '***', randomBytes(8).toString('base64url')]) {
      await expect(listEvents(world, { limit: 1, after }), after).rejects.toMatchObject({
        code: 'validation_failed',
        errors: [{ field: 'after', code: 'format' }],
      });
    }
    expect((await listEvents(world, { limit: 5, after: cursorOf('1') })).data).toEqual([]);
  });

  test('costs a few calls for a cursor far beyond its end', async () => {
    const world = newWorld();
    await fill(world, [2]);
    const calls = countCalls();
    await listEvents(world, { limit: 5, after: cursorOf('4000000000') }).catch((error) => {
      expect(error).toMatchObject({ code: 'validation_failed' });
    });
    expect(calls()).toBeLessThan(10);
  });
});

describe('what follows a number', () => {
  type Filter = Omit<Parameters<typeof followEvents>[1], 'afterSequence' | 'limit'>;

  /** Every page from a number on, as a follower reads them. */
  async function followAll(world: StoredWorld, from: number, limit: number, filter: Filter = {}) {
    const pages = [await followEvents(world, { ...filter, limit, afterSequence: from })];
    for (let page = pages[0]; page?.hasMore; page = pages.at(-1)) {
      pages.push(await followEvents(world, { ...filter, limit, afterSequence: page.nextSequence }));
      const { nextSequence: next = 0, hasMore } = pages.at(-1) ?? {};
      expect(next > page.nextSequence || !hasMore, 'it gets ahead').toBe(true);
    }
    return { pages, events: pages.flatMap(({ events }) => events), next: pages.at(-1)?.nextSequence };
  }

  const SIZES = Array.from({ length: 700 }, (_, nth) => [1, 2, 3, 7][nth % 4] ?? 1);

  test.each([100, 37])(
    'is complete, oldest first, page by page of %i, over the ends of blocks',
    { tags: 'slow' },
    async (limit) => {
      const world = newWorld();
      const all = await fill(world, SIZES);
      for (const eventBlock of [null, 1, 2]) {
        const { pages, events, next } = await followAll({ ...world, eventBlock }, 0, limit);
        expect(events).toEqual(all);
        expect(next).toBe(all.length);
        expect(pages).toHaveLength(Math.ceil(all.length / limit));
      }
    },
  );

  test('begins after any number: within a commit, at its end, at the ends of blocks', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    const all = [...(await fill(world, [2, 3, 1, 4])), ...eventsAt(11)];
    await publish(world, all.slice(10));
    for (const [firstSequence, howMany] of [
      [12, 987],
      [999, 3],
      [1_002, 2],
    ] as const) {
      // Numbers without events of their own would take a thousand of them to make.
      const events = eventsAt(firstSequence, howMany, { more: '' });
      all.push(...events);
      await publish(world, events);
    }
    for (const from of [0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 500, 998, 999, 1_000, 1_001, 1_002, 1_003]) {
      for (const limit of [1, 5]) {
        const { events, nextSequence, hasMore } = await followEvents(world, { limit, afterSequence: from });
        expect(events, `after ${from}`).toEqual(all.slice(from, from + limit));
        expect(nextSequence).toBe(from + events.length);
        expect(hasMore).toBe(nextSequence < all.length);
      }
    }
  });

  test('is empty at the end or beyond it: the number stays, at the cost of a few calls', async () => {
    const world = newWorld();
    const expectNothing = async (from: number, read = world) => {
      const calls = countCalls();
      expect(await followEvents(read, { limit: 5, afterSequence: from }), String(from)).toEqual({
        events: [],
        nextSequence: from,
        hasMore: false,
      });
      expect(calls()).toBeLessThan(8);
      vi.restoreAllMocks();
    };
    await expectNothing(0);
    await fill(world, [2, 3]);
    for (const from of [5, 6, 999, 1_000, 1_001, 50_000, 2 ** 32, 10 ** 12, Number.MAX_SAFE_INTEGER]) {
      await expectNothing(from);
      await expectNothing(from, { ...world, eventBlock: 0 });
    }
    const next = eventsAt(6);
    await publish(world, next);
    expect((await followEvents(world, { limit: 5, afterSequence: 5 })).events).toEqual(next);
  });

  test.each([
    ['within a block', 4, 6],
    ['at the end of a block', 999, 1_001],
    ['over the end of a block', 1_000, 1_002],
  ])('stops before a number that is not there yet, and goes on when it is: %s', async (_, missing, later) => {
    const world = newWorld();
    const before = eventsAt(1, missing - 1, { more: '' });
    await publish(world, before);
    await publish(world, eventsAt(later, 2));
    for (const from of [0, missing - 2, missing - 1]) {
      for (const limit of [1_000, 1_001, 1_002]) {
        const { events, next } = await followAll(world, from, limit);
        expect(events).toEqual(before.slice(from));
        expect(next).toBe(missing - 1);
      }
    }
    await publish(world, eventsAt(missing, later - missing));
    const { events, next } = await followAll(world, missing - 2, 100);
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: later - missing + 3 }, (_each, nth) => missing - 1 + nth),
    );
    expect(next).toBe(later + 1);
  });

  test('goes on after events that have expired, deleted or not', { tags: 'slow' }, async () => {
    const world = newWorld(0);
    for (const firstSequence of [1, 3, 5]) {
      await publish(world, eventsAt(firstSequence, 2), Date.now() - LONG_AGO_MS);
    }
    const kept = eventsAt(7, 3);
    await publish(world, kept, Date.now() - A_WHILE_AGO_MS);
    for (const gone of [[], [3], [1], [5]]) {
      await deleteAt(world, ...gone);
      for (const from of [0, 1, 2, 3, 4, 5, 6]) {
        for (const limit of [1, 2, 3, 4]) {
          expect((await followAll(world, from, limit)).events).toEqual(kept);
        }
      }
    }
  });

  test('leaves nothing out where a read of the store ends early, since its events are large', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    const all = [1, 3, 5, 7, 9, 11, 17, 33].map((firstSequence) =>
      eventsAt(firstSequence, 2, { more: randomBytes(100_000).toString('base64') }),
    );
    for (const events of all) {
      await publish(world, events, Date.now() - A_WHILE_AGO_MS);
    }
    const sequences = all.flat().map(({ sequence }) => sequence);
    expect(sequencesIn(await pagesOf(world, { limit: 100 }))).toEqual(sequences.toReversed());
    const { events } = await followAll(world, 0, 100);
    expect(events.map(({ sequence }) => sequence)).toEqual(sequences);
  });

  test('is found in a later block when all earlier events have expired', async () => {
    const world = newWorld(0);
    await publish(world, eventsAt(980, 2), Date.now() - LONG_AGO_MS);
    await publish(world, eventsAt(990, 3), Date.now() - LONG_AGO_MS);
    const next = await nextSequence(world);
    expect(next).toBeGreaterThan(BLOCK);
    for (const gone of [[], [980], [990]]) {
      await deleteAt(world, ...gone);
      expect(await followEvents(world, { limit: 5, afterSequence: 992 })).toMatchObject({
        nextSequence: 992,
      });
    }
    const later = eventsAt(next, 2);
    await publish(world, later, Date.now() - A_WHILE_AGO_MS);
    for (const eventBlock of [0, 1]) {
      for (const from of [0, 980, 992, 1_000]) {
        const { events } = await followAll({ ...world, eventBlock }, from, 5);
        expect(events, `after ${from}`).toEqual(later);
      }
    }
  });

  test('costs a few calls a page, for any number of deleted events before the kept ones', async () => {
    const world = newWorld(60);
    const kept = eventsAt(60 * BLOCK + 1, 2);
    await publish(world, kept, Date.now() - A_WHILE_AGO_MS);
    const calls = countCalls();
    const { pages, events } = await followAll(world, 0, 10);
    expect(events).toEqual(kept);
    expect(calls() / pages.length).toBeLessThan(25);
  });

  test('starts over after a purge, and is empty where the old log was longer', async () => {
    const world = newWorld();
    await publish(world, eventsAt(1, 9));
    const purged = { ...world, epoch: world.epoch + 1 };
    const anew = eventsAt(1, 2);
    await publish(purged, anew);
    expect(await followEvents(purged, { limit: 5, afterSequence: 9 })).toEqual({
      events: [],
      nextSequence: 9,
      hasMore: false,
    });
    expect((await followAll(purged, 0, 5)).events).toEqual(anew);
  });

  test('can be filtered by type or resource: the next number is then the last one read', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    const all = await fill(world, SIZES, (nth) => ({
      resourceId: `pay_${nth % 2}`,
      types: nth % 345 === 3 || nth === 0 ? ['payment.created', 'payment.succeeded'] : ['payment.failed'],
    }));
    const type = 'payment.succeeded';
    const wanted = all.filter((event) => event.type === type);
    expect(wanted.length).toBeGreaterThan(3);
    for (const limit of [1, 2, 100]) {
      const { pages, events, next } = await followAll(world, 0, limit, { type });
      expect(events).toEqual(wanted);
      expect(next).toBe(all.length);
      expect(Math.max(...pages.map((page) => page.events.length))).toBeLessThanOrEqual(limit);
    }
    const resourceId = 'pay_1';
    const ofOne = all.filter((event) => event.resourceId === resourceId);
    expect((await followAll(world, 0, 100, { resourceId })).events).toEqual(ofOne);
    expect((await followAll(world, 0, 2, { resourceId, type })).events).toEqual(
      ofOne.filter((event) => event.type === type),
    );
    const none = await followAll(world, 0, 2, { type: 'refund.failed' });
    expect({ events: none.events, next: none.next }).toEqual({ events: [], next: all.length });
  });

  test('is complete when its events are larger than one store response', { tags: 'slow' }, async () => {
    const world = newWorld();
    const more = () => ({ resourceId: 'pay_1', more: randomBytes(16_000).toString('base64') });
    const all = await fill(world, Array(60).fill(2), more);
    for (const filter of [{}, { resourceId: 'pay_1' }]) {
      expect((await followAll(world, 0, 100, filter)).events).toEqual(all);
    }
  });
});
