import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { newId } from '../../../shared/domain/id.ts';
import type { PublishedEvent } from '../../../shared/domain/published-event.ts';
import type { Mode } from '../../../shared/domain/world.ts';
import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import type { ListPage } from '../../../shared/store/table/list.ts';
import type { StoredWorld } from '../../../shared/store/worlds/world.ts';
import { aWorld } from './entities.ts';
import './merchant.ts';

const { callTable, dynamodb } = await import('../../../shared/store/table/client.ts');
const { commit } = await import('../../../shared/store/table/commit.ts');
const { insertEvents, listEvents } = await import('../../../shared/store/events/event-log.ts');
const { eventsKey } = await import('../../../shared/store/table/keys.ts');
const { itemsOf, writeAll } = await import('../../../shared/store/table/write-all.ts');

/** Longer than events are kept. */
export const LONG_AGO_MS = 400 * 86_400_000;
/** The numbers in a block of the log. */
export const BLOCK = 1_000;
/** Far more calls than any page needs. */
const CALLS_MAX = 200;
/** These commits reach over the ends of blocks, with each number of events. */
export const SIZES = Array.from({ length: 700 }, (_, nth) => [1, 2, 3, 7][nth % 4] ?? 1);
export const AT_MS = Date.UTC(2026, 10, 2);

/** A world of which only the log exists, so that only the test publishes in it. */
export function newWorld(eventBlock: number | null = null, mode: Mode = 'test'): StoredWorld {
  return { ...aWorld(), id: randomBytes(8).toString('hex'), mode, eventBlock };
}

interface About {
  readonly resourceId?: string;
  readonly types?: readonly string[];
  readonly more?: string;
}

/** The events of one commit, the first with this number. */
export function eventsAt(
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
export function publish(world: StoredWorld, events: readonly PublishedEvent[], realNowMs = Date.now()) {
  return commit([insertEvents(world, events, realNowMs)]);
}

/** Puts commits of these sizes into a log, one after the other. @returns all of their events */
export async function fill(
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
export async function deleteAt(world: StoredWorld, ...firstSequences: number[]): Promise<void> {
  for (const firstSequence of firstSequences) {
    await callTable('DeleteItem', { Key: eventsKey(world, firstSequence) });
  }
}

type Query = Omit<Parameters<typeof listEvents>[1], 'after'>;

/** All pages of a list. */
export async function pagesOf(world: StoredWorld, query: Query) {
  const pages: ListPage<PublishedEvent>[] = [];
  let after: string | undefined;
  do {
    const page = await listEvents(world, { ...query, after });
    pages.push(page);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
  return pages;
}

export const sequencesIn = (pages: readonly ListPage<PublishedEvent>[]) =>
  pages.flatMap(({ data }) => data.map(({ sequence }) => sequence));

/** Counts calls to the store, and fails a caller that makes far too many. */
export function countCalls() {
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
