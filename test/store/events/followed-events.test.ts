import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MODES } from '../../../shared/domain/world.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import {
  BLOCK,
  countCalls,
  deleteAt,
  eventsAt,
  fill,
  LONG_AGO_MS,
  newWorld as newWorldOf,
  pagesOf,
  publish,
  SIZES,
  sequencesIn,
} from '../../support/world/event-log.ts';

const { followEvents, nextSequence } = await import('../../../shared/store/events/event-log.ts');
const { SHARDS } = await import('../../../shared/store/table/keys.ts');

/** Longer than a commit may be visible only in part. */
const A_WHILE_AGO_MS = 2 * 60_000;

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

describe.each(MODES)('what follows a number, in %s mode', (mode) => {
  const newWorld = (eventBlock: number | null = null) => newWorldOf(eventBlock, mode);

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

  test('is empty at the end or beyond it: the number stays, at the cost of a few calls', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    const expectNothing = async (from: number, read = world) => {
      const calls = countCalls();
      expect(await followEvents(read, { limit: 5, afterSequence: from }), String(from)).toEqual({
        events: [],
        nextSequence: from,
        hasMore: false,
      });
      expect(calls()).toBeLessThan(4 * SHARDS.EVENTS[mode]);
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

describe('what follows expired events', () => {
  test('is found, whether these are deleted or not', { tags: 'slow' }, async () => {
    const world = newWorldOf(0);
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

  test('is found in a later block, where none is left', { tags: 'slow' }, async () => {
    const world = newWorldOf(0);
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

  test('costs a few calls a page, for any number of deleted events', { tags: 'slow' }, async () => {
    const world = newWorldOf(60);
    const kept = eventsAt(60 * BLOCK + 1, 2);
    await publish(world, kept, Date.now() - A_WHILE_AGO_MS);
    const calls = countCalls();
    const { pages, events } = await followAll(world, 0, 10);
    expect(events).toEqual(kept);
    expect(calls() / pages.length).toBeLessThan(25);
  });
});
