import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MODES } from '../../../shared/domain/world.ts';
import { countUnits } from '../../support/world/consumed-units.ts';
import {
  BLOCK,
  countCalls,
  eventsAt,
  fill,
  newWorld as newWorldOf,
  pagesOf,
  publish,
  SIZES,
  sequencesIn,
} from '../../support/world/event-log.ts';

const { followEvents, listEvents } = await import('../../../shared/store/events/event-log.ts');
const { SHARDS } = await import('../../../shared/store/table/keys.ts');

const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

describe('a filtered page of the log', () => {
  /** What a filter may cost that matches at once, against the same page without it. */
  const TIMES_MAX = 3;

  test.each([
    ['every commit matches', 1],
    ['every second commit matches', 2],
  ])('costs at most three times the page without a filter, where %s', { tags: 'slow' }, async (_, every) => {
    const world = newWorldOf();
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

describe.each(MODES)('the list of events, in %s mode', (mode) => {
  const newWorld = (eventBlock: number | null = null) => newWorldOf(eventBlock, mode);

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

  test('goes on within a commit, and says at its last event that none follows', {
    tags: 'slow',
  }, async () => {
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
    expect(calls()).toBeLessThan(5 * SHARDS.EVENTS[mode]);
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
