import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId, partsOf } from '../../shared/domain/id.ts';
import type { SequenceRange } from '../../shared/domain/job.ts';
import type { PublishedEvent } from '../../shared/domain/published-event.ts';
import { aDelivery, anEndpoint, aWorld } from '../support/world/entities.ts';
import '../support/world/merchant.ts';
import type { StoredWorld } from '../../shared/store/worlds/world.ts';

const { findMissed, takeFromRanges } = await import('../../shared/flows/recover-events.ts');
const { logDeliveries } = await import('../../shared/store/events/delivery.ts');
const { insertEvents } = await import('../../shared/store/events/event-log.ts');
const { itemsOf, writeAll } = await import('../../shared/store/table/write-all.ts');

const AT_MS = Date.UTC(2026, 10, 2);
const SECOND_MS = 1_000;
const COMMIT = 50;
const TYPES = ['payment.created', 'refund.requested'];
const endpoint = anEndpoint({
  id: newId('whe', AT_MS),
  slot: 1,
  url: 'https://shop.example.com/',
  events: ['payment.*'],
});

/** A world of which only the log exists: events of both types by turns, a commit of them a second. */
async function newLog(howMany: number): Promise<{ world: StoredWorld; events: PublishedEvent[] }> {
  const world = { ...aWorld(), id: randomBytes(8).toString('hex') };
  const commits = Array.from({ length: Math.ceil(howMany / COMMIT) }, (_, nth) =>
    Array.from(
      { length: Math.min(COMMIT, howMany - nth * COMMIT) },
      (_each, firstSequence): PublishedEvent => {
        const sequence = nth * COMMIT + firstSequence + 1;
        const id = newId('evt', AT_MS + nth * SECOND_MS, sequence);
        const type = TYPES[sequence % 2] ?? '';
        const body = JSON.stringify({ id, type, sequence, data: { object: { id: 'pay_1' } } });
        return { id, type, resourceId: 'pay_1', sequence, firstSequence: nth * COMMIT + 1, body };
      },
    ),
  );
  await writeAll(itemsOf(commits.map((events) => insertEvents(world, events, Date.now()))), []);
  return { world, events: commits.flat() };
}

/** Logs the endpoint's response to an event. */
async function answered(
  world: StoredWorld,
  { id: eventId, sequence }: PublishedEvent,
  status: 'delivered' | 'failed',
) {
  const { atMs } = partsOf(eventId);
  const delivery = aDelivery({
    id: newId('dlv', atMs, sequence),
    endpointId: endpoint.id,
    eventId,
    sequence,
    status,
    attemptedAtMs: atMs,
  });
  await writeAll(itemsOf([logDeliveries(world, [delivery], Date.now())]), []);
}

/** The sequence numbers that the job queues, step by step. */
async function queued(world: StoredWorld, ranges: readonly SequenceRange[]) {
  const steps: number[][] = [];
  let left = ranges;
  while (left.length > 0) {
    const taken = await takeFromRanges(world, endpoint, left);
    steps.push(taken.events.map(({ sequence }) => sequence));
    left = taken.left;
  }
  return steps;
}

const wanted = (events: readonly PublishedEvent[]) =>
  events.filter(({ type }) => type === 'payment.created').map(({ sequence }) => sequence);

test('queues all missed events in order, and no delivered one, in transaction-sized steps', {
  tags: 'slow',
}, async () => {
  const { world, events } = await newLog(700);
  const taken = [101, 102, 300, 301, 302].map((sequence) => events[sequence - 1] as PublishedEvent);
  for (const event of taken) {
    await answered(world, event, 'delivered');
  }
  await answered(world, events[399] as PublishedEvent, 'failed');
  const missed = await findMissed(world, endpoint, AT_MS);
  const steps = await queued(world, missed.ranges);
  const expected = wanted(events.filter((event) => !taken.includes(event)));
  expect(steps.flat()).toEqual(expected);
  expect(missed).toMatchObject({ count: expected.length, nextSinceMs: null });
  expect(Math.max(...steps.map(({ length }) => length))).toBeLessThanOrEqual(COMMIT);
});

test('since an instant, nothing of before is queued', { tags: 'slow' }, async () => {
  const { world, events } = await newLog(2_000);
  const sinceMs = AT_MS + 17 * SECOND_MS;
  const { ranges, count } = await findMissed(world, endpoint, sinceMs);
  const expected = wanted(events.filter(({ id }) => partsOf(id).atMs >= sinceMs));
  expect((await queued(world, ranges)).flat()).toEqual(expected);
  expect(count).toBe(expected.length);
  const over = await findMissed(world, endpoint, AT_MS + 1_000 * SECOND_MS);
  expect(over).toEqual({ ranges: [], count: 0, nextSinceMs: null });
});

test('a call queues 10,000 at most, and says from when on the next one finds the others', {
  tags: 'slow',
}, async () => {
  const { world, events } = await newLog(20_100);
  const first = await findMissed(world, endpoint, AT_MS);
  expect(first.count).toBe(10_000);
  const nextSinceMs = Number(first.nextSinceMs);
  const second = await findMissed(world, endpoint, nextSinceMs);
  expect(second).toMatchObject({ count: 50, nextSinceMs: null });
  const [of, others] = [first, second].map(({ ranges }) => ranges);
  const all = [...(await queued(world, of ?? [])), ...(await queued(world, others ?? []))].flat();
  expect(all).toEqual(wanted(events));
});
