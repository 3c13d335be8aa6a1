import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { PublishedEvent } from '../../../shared/domain/published-event.ts';
import { MODES } from '../../../shared/domain/world.ts';
import { lagReads } from '../../support/faults/lagging-reads.ts';
import {
  AT_MS,
  BLOCK,
  deleteAt,
  eventsAt,
  LONG_AGO_MS,
  newWorld as newWorldOf,
  pagesOf,
  publish,
  sequencesIn,
} from '../../support/world/event-log.ts';
import { newKey } from '../../support/world/merchant.ts';
import { endEpochOf, worldOf } from '../../support/world/resources.ts';

const { findEvent, getEvent, insertEvents, listEvents, nextSequence, noteEventBlock, readEventsAt } =
  await import('../../../shared/store/events/event-log.ts');

describe.each(MODES)('sequence numbers, in %s mode', (mode) => {
  const newWorld = (eventBlock: number | null = null) => newWorldOf(eventBlock, mode);

  test('begin with 1 and go on after the last event of a commit, however many it has', {
    tags: 'slow',
  }, async () => {
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

describe.each(MODES)('an event, in %s mode', (mode) => {
  const newWorld = (eventBlock: number | null = null) => newWorldOf(eventBlock, mode);

  test('is found by its id wherever it lies: within a commit, and over the end of a block', {
    tags: 'slow',
  }, async () => {
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
