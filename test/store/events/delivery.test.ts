import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import '../../support/world/merchant.ts';
import type { Delivery } from '../../../shared/domain/delivery.ts';
import { derivedId, newId } from '../../../shared/domain/id.ts';
import type { World } from '../../../shared/domain/world.ts';
import { countUnits } from '../../support/world/consumed-units.ts';
import { aDelivery, aWorld } from '../../support/world/entities.ts';

const { commit } = await import('../../../shared/store/table/commit.ts');
const { getDelivery, logDeliveries, listDeliveries, listEventDeliveries } = await import(
  '../../../shared/store/events/delivery.ts'
);
const { insertEvents } = await import('../../../shared/store/events/event-log.ts');
const { deliveryKey } = await import('../../../shared/store/table/keys.ts');
const { itemsOf, writeAll } = await import('../../../shared/store/table/write-all.ts');

const DAY_MS = 86_400_000;
/** Longer than deliveries are kept. */
const LONG_AGO_MS = 100 * DAY_MS;
const AT_MS = Date.UTC(2026, 10, 2);
const SINK = 'snk_01h455vb4pex5vsknk084sn02q';
const OTHER_SINK = 'snk_01h455vb4pex5vsknk084sn02r';

function newWorld(): World {
  return { ...aWorld(), id: randomBytes(8).toString('hex') };
}

const eventIdOf = (sequence: number) => derivedId('evt', AT_MS, '', sequence);
const bodyOf = (sequence: number) =>
  JSON.stringify({
    id: eventIdOf(sequence),
    type: 'payment.created',
    sequence,
    data: { object: { id: 'pay_1' } },
  });

/** The attempts to deliver the events of one commit at an instant, the first with this number. */
function attemptsAt(atMs: number, firstSequence: number, howMany: number, changes: Partial<Delivery> = {}) {
  const { attempt = 1, endpointId = SINK } = changes;
  return Array.from({ length: howMany }, (_, nth) => {
    const sequence = firstSequence + nth;
    const id = derivedId('dlv', atMs, `${sequence} ${endpointId} ${attempt}`, sequence);
    const eventId = eventIdOf(sequence);
    return aDelivery({ id, eventId, sequence, firstSequence, endpointId, attemptedAtMs: atMs, ...changes });
  });
}

/**
 * A log of many instants, spread over all partitions: commits of one event and of several, some at one instant, and
 * second attempts, each for itself, at instants of first attempts of other events.
 */
async function newLog() {
  const world = newWorld();
  const logged: Delivery[][] = [];
  let firstSequence = 1;
  for (let nth = 0; nth < 40; nth += 1) {
    const howMany = [1, 2, 4][nth % 3] ?? 1;
    const atMs = AT_MS + Math.floor(nth / 2);
    logged.push(attemptsAt(atMs, firstSequence, howMany));
    if (nth % 5 === 0) {
      const again = attemptsAt(atMs + 5, firstSequence, howMany, { attempt: 2, status: 'failed' });
      logged.push(...again.map((one) => [one]));
    }
    const sequences = Array.from({ length: howMany }, (_, more) => firstSequence + more);
    const events = sequences.map((sequence) => ({
      id: eventIdOf(sequence),
      type: 'payment.created',
      resourceId: 'pay_1',
      sequence,
      firstSequence,
      body: bodyOf(sequence),
    }));
    await commit([insertEvents(world, events, Date.now())]);
    firstSequence += howMany;
  }
  await writeAll(itemsOf(logged.map((attempts) => logDeliveries(world, attempts, Date.now()))), []);
  const all = logged.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
  expect(new Set(all.map(({ id }) => deliveryKey(world, SINK, id).pk)).size).toBeGreaterThan(4);
  return { world, all };
}

async function pagesOf(world: World, limit: number) {
  const pages: Awaited<ReturnType<typeof listDeliveries>>[] = [];
  let after: string | undefined;
  do {
    const page = await listDeliveries(world, SINK, { limit, after });
    pages.push(page);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
  return pages;
}

const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

describe('the log of deliveries', () => {
  test('is complete, newest first, with each sent body, even for attempts at one instant', {
    tags: 'slow',
  }, async () => {
    const { world, all } = await newLog();
    const wanted = all.map((attempt) => ({ ...attempt, body: bodyOf(attempt.sequence) }));
    for (const limit of [1, 2, 3, 7, 100]) {
      const pages = await pagesOf(world, limit);
      expect(pages.flatMap(({ data }) => data)).toEqual(wanted);
      expect(pages).toHaveLength(Math.ceil(all.length / limit));
    }
  });

  test('has no more pages than attempts, where the last page is full', { tags: 'slow' }, async () => {
    const world = newWorld();
    const attempts = attemptsAt(AT_MS, 1, 4);
    await commit([logDeliveries(world, attempts, Date.now())]);
    for (const [limit, pages] of [
      [2, 2],
      [4, 1],
      [3, 2],
    ] as const) {
      expect(await pagesOf(world, limit)).toHaveLength(pages);
    }
    expect(await listDeliveries(newWorld(), SINK, { limit: 5 })).toEqual({ data: [], nextCursor: null });
  });

  test('is that of one sink, and of one epoch', async () => {
    const world = newWorld();
    const [mine, others] = [attemptsAt(AT_MS, 1, 2), attemptsAt(AT_MS, 1, 2, { endpointId: OTHER_SINK })];
    for (const attempts of [mine, others]) {
      await commit([logDeliveries(world, attempts, Date.now())]);
    }
    const idsOf = async (read: World, endpointId: string) =>
      (await listDeliveries(read, endpointId, { limit: 9 })).data.map(({ id }) => id);
    expect(await idsOf(world, SINK)).toEqual(mine.map(({ id }) => id).toReversed());
    expect(await idsOf(world, OTHER_SINK)).toEqual(others.map(({ id }) => id).toReversed());
    expect(await idsOf({ ...world, epoch: 2 }, SINK)).toEqual([]);
  });

  test('shows attempts that were logged again after a crash once', async () => {
    const world = newWorld();
    const attempts = attemptsAt(AT_MS, 1, 3);
    await writeAll(itemsOf([logDeliveries(world, attempts, Date.now())]), []);
    expect((await commit([logDeliveries(world, attempts, Date.now())])).kind).toBe('committed');
    expect((await listDeliveries(world, SINK, { limit: 9 })).data).toHaveLength(3);
  });

  test('shows nothing that has expired, even before its deletion', async () => {
    const world = newWorld();
    const [old, kept] = [attemptsAt(AT_MS, 1, 2), attemptsAt(AT_MS + 1, 3, 2)];
    await commit([logDeliveries(world, old, Date.now() - LONG_AGO_MS)]);
    await commit([logDeliveries(world, kept, Date.now())]);
    for (const limit of [1, 2, 9]) {
      const pages = await pagesOf(world, limit);
      expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(
        kept.map(({ id }) => id).toReversed(),
      );
    }
    await expect(getDelivery(world, SINK, String(old[1]?.id))).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
  });

  test('refuses a cursor that it has not given out', async () => {
    const world = newWorld();
    for (const after of ['', 'x', cursorOf(newId('evt', AT_MS)), cursorOf('dlv_1'), newId('dlv', AT_MS)]) {
      await expect(listDeliveries(world, SINK, { limit: 1, after }), after).rejects.toMatchObject({
        code: 'validation_failed',
        errors: [{ field: 'after', code: 'format' }],
      });
    }
  });

  test('requires an attempt: there is no entry without one', () => {
    expect(() => logDeliveries(newWorld(), [], AT_MS)).toThrow('at least one attempt');
  });
});

describe('an attempt', () => {
  test('is found by its id among all attempts of its instant', { tags: 'slow' }, async () => {
    const { world, all } = await newLog();
    for (const attempt of all) {
      expect(await getDelivery(world, SINK, attempt.id)).toEqual(attempt);
    }
  });

  test('is not found by any other id, of another sink, or in another world or epoch', async () => {
    const world = newWorld();
    const attempts = attemptsAt(AT_MS, 1, 3);
    await commit([logDeliveries(world, attempts, Date.now())]);
    const id = String(attempts[1]?.id);
    const missing = { code: 'delivery_not_found' };
    for (const other of [
      id.replace('dlv_', 'evt_'),
      id.toUpperCase(),
      newId('dlv', AT_MS, 2),
      newId('dlv', AT_MS, 9),
      newId('dlv', AT_MS - 1, 2),
      'dlv_',
      '',
    ]) {
      await expect(getDelivery(world, SINK, other), other).rejects.toMatchObject(missing);
    }
    await expect(getDelivery(world, OTHER_SINK, id)).rejects.toMatchObject(missing);
    await expect(getDelivery(newWorld(), SINK, id)).rejects.toMatchObject(missing);
    await expect(getDelivery({ ...world, epoch: 2 }, SINK, id)).rejects.toMatchObject(missing);
    expect((await getDelivery(world, SINK, id)).sequence).toBe(2);
  });
});

describe('the deliveries of an event', () => {
  test('are all found, newest first, however many others were made to its receivers meanwhile', {
    tags: 'slow',
  }, async () => {
    const world = newWorld();
    const event = { id: eventIdOf(7), body: bodyOf(7) };
    // Among two thousand others, some of these at the same instants with numbers before and after.
    const wanted = [0, 1, 5, 700, 1_400, 1_999].flatMap((laterMs, nth) =>
      [SINK, OTHER_SINK].flatMap((endpointId) =>
        attemptsAt(AT_MS + laterMs, 7, 1, { attempt: nth + 1, endpointId }),
      ),
    );
    const others = Array.from({ length: 2_000 }, (_, laterMs) => attemptsAt(AT_MS + laterMs, 8, 1));
    const before = attemptsAt(AT_MS + 700, 5, 4).filter(({ sequence }) => sequence !== 7);
    const logged = [...others, before, ...wanted.map((one) => [one])];
    await writeAll(itemsOf(logged.map((attempts) => logDeliveries(world, attempts, Date.now()))), []);

    const receivers = [{ id: SINK }, { id: OTHER_SINK }];
    for (const limit of [1, 3, 100]) {
      const found: Delivery[] = [];
      let after: string | undefined;
      do {
        const page = await listEventDeliveries(world, event, receivers, { limit, after });
        expect(page.data.length).toBeLessThanOrEqual(limit);
        found.push(...page.data);
        after = page.nextCursor ?? undefined;
      } while (after !== undefined);
      expect(found).toEqual(
        wanted.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map((one) => ({ ...one, body: event.body })),
      );
    }
  });

  test('cost no more for what was delivered before the event', { tags: 'slow' }, async () => {
    const world = newWorld();
    const event = { id: derivedId('evt', AT_MS + 2_000, '', 7), body: bodyOf(7) };
    const earlier = Array.from({ length: 800 }, (_, nth) => attemptsAt(AT_MS + nth, 8, 1));
    const wanted = attemptsAt(AT_MS + 2_001, 7, 1, { eventId: event.id });
    const units = countUnits();
    const costs: number[] = [];
    for (const logged of [[wanted], earlier]) {
      await writeAll(itemsOf(logged.map((attempts) => logDeliveries(world, attempts, Date.now()))), []);
      units();
      const { data, nextCursor } = await listEventDeliveries(world, event, [{ id: SINK }], { limit: 20 });
      costs.push(units());
      expect({ ids: data.map(({ id }) => id), nextCursor }).toEqual({
        ids: wanted.map(({ id }) => id),
        nextCursor: null,
      });
    }
    expect(costs[1]).toBe(costs[0]);
  });

  test('take a cursor of their own alone', async () => {
    const event = { id: eventIdOf(1), body: bodyOf(1) };
    const look = listEventDeliveries(newWorld(), event, [], { limit: 5, after: cursorOf('x') });
    await expect(look).rejects.toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
