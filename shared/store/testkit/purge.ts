import { mapLimit } from '../../concurrency/map-limit.ts';
import { isSink } from '../../domain/endpoint.ts';
import { type JobOf, OWN_JOBS } from '../../domain/job.ts';
import {
  countsAsStored,
  type PerResource,
  RESOURCE_NAMES,
  type ResourceName,
} from '../../domain/resource.ts';
import type { Purge, PurgedContent } from '../../domain/testkit/purge.ts';
import type { World } from '../../domain/world.ts';
import { readEndpoints } from '../events/endpoint.ts';
import { nextSequence, readEventsOfEntry } from '../events/event-log.ts';
import { type OutboxEntry, readOutbox } from '../events/outbox.ts';
import { keyOfJob, readJobs } from '../scheduler/job.ts';
import type { Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { indexPages, queryIndex } from '../table/index-entries.ts';
import { getItem, insert, keysIn, type StoredItem, update } from '../table/item.ts';
import {
  balancePks,
  blockPk,
  deliveryPks,
  endpointsPk,
  eventsPks,
  jobPks,
  type Key,
  leaseKey,
  newestBlock,
  nextRunKey,
  outboxPks,
  providerEventPks,
  purgeKey,
  queuePk,
  requestPks,
  settlementDaysPk,
  unlistedPks,
  worldKey,
} from '../table/keys.ts';
import { BACKLOGGED_ENDPOINTS, ENDED_EPOCH, type IndexName } from '../table/table.ts';
import { writeAll } from '../table/write-all.ts';
import { counterOf, countersAsRead, type StoredWorld } from '../worlds/world.ts';

/** A purge is remembered at least as long as its Idempotency-Key. */
const REMEMBERED_SECONDS = 7 * 24 * 60 * 60;
const BLOCKS_AT_ONCE = 50;
const ENTRIES_AT_ONCE = 16;
/** Blocks of the event log that may follow the one that the world knew of when it was purged. */
const LATER_EVENT_BLOCKS = 2;

/** The job that deletes what an ended epoch holds. */
export type DeleteEpoch = JobOf<'delete-epoch'>;

/** A purge as it is stored, in its job too. */
export interface StoredPurge extends Purge, Pick<StoredWorld, 'eventBlock'> {}

export async function findPurge(worldId: string, idempotencyKey: string): Promise<StoredPurge | null> {
  const item = await getItem(purgeKey(worldId, idempotencyKey));
  return item === undefined ? null : toPurge(item);
}

/** Keeps the order of the fields: a retry must make the same job as the first try. */
function toPurge(item: StoredItem): StoredPurge {
  const { actionId, epoch, counts, eventBlock, resetAtMs } = fieldsOf<StoredPurge>(item);
  return { actionId, epoch, counts: countsAsStored(counts), eventBlock, resetAtMs };
}

/**
 * The writes that end the epoch of a world and begin the next one: all of its items become unreachable. They conflict
 * where the world has changed since it was read, or this purge was made already.
 */
export function endEpoch(world: World, idempotencyKey: string, purge: StoredPurge): Write[] {
  const ttl = Math.floor(purge.resetAtMs / 1_000) + REMEMBERED_SECONDS;
  // Without this condition, numbers that are assigned in between would be in no report, and their items left over.
  const { condition, values } = countersAsRead(world);
  const cleared = [...RESOURCE_NAMES.map(counterOf), 'movedToMs', 'eventBlock', BACKLOGGED_ENDPOINTS];
  return [
    insert({ ...purgeKey(world.id, idempotencyKey), ...purge, ttl }),
    update(
      worldKey(world.id),
      `SET epoch = epoch + :one, ${ENDED_EPOCH} = :epoch, clockOffsetMs = :none REMOVE ${cleared.join(', ')}`,
      {
        condition: `epoch = :epoch AND ${condition}`,
        values: { ...values, ':one': 1, ':epoch': world.epoch, ':none': 0 },
      },
    ),
  ];
}

/**
 * Counts what an ended epoch holds; nothing is deleted before the purge responds. Late writes of requests that began
 * before the purge are not counted.
 * @returns `unfinished`: deletions of earlier purges, which continue in the next epoch and are not counted as jobs
 */
export async function countPurged(
  world: StoredWorld,
  purge: StoredPurge,
): Promise<{ content: PurgedContent; endpointIds: string[]; unfinished: DeleteEpoch[] }> {
  const past = { ...world, epoch: purge.epoch, eventBlock: purge.eventBlock };
  // Entries before jobs and jobs before events: a runner may still move one into the next, and each counts once.
  const found = await readEntries(past);
  const { endpoints, jobs: own, endpointIds, unfinished } = await readRest(past);
  const [made, attempts, stored] = await Promise.all([
    Promise.all(RESOURCE_NAMES.map(async (name) => [name, await countList(past, name, purge)] as const)),
    readJobs(endpointIds.map((id) => queuePk(past, id))),
    getItem(worldKey(world.id)),
  ]);
  const { next, unpublished } = await readEventsOf(past, found);
  const superseded = new Set(found.flatMap(({ supersededJobs }) => supersededJobs.map(({ sk }) => sk)));
  const jobs = [...own.filter((job) => !superseded.has(keyOfJob(past, job).sk)), ...attempts];
  const deliveries = jobs.filter(({ kind }) => kind === 'deliver-event').length;
  const content = {
    made: Object.fromEntries(made) as PerResource<number>,
    events: next - 1,
    webhookEndpoints: endpoints.filter((endpoint) => !isSink(endpoint)).length,
    sinks: endpoints.filter(isSink).length,
    jobs: jobs.filter(({ kind }) => kind !== 'deliver-event' && !OWN_JOBS.includes(kind)).length,
    outbox: unpublished.flatMap(({ events }) => events).length + deliveries,
    apiKeys: Number(stored?.keyCount ?? 0),
  };
  return { content, endpointIds, unfinished };
}

function readEntries(past: World): Promise<OutboxEntry[]> {
  return readOutbox(outboxPks(past), { onBroken: () => undefined });
}

/**
 * The next number in the event log of an ended epoch, and the entries whose events are not in it, as of one moment: a
 * runner may still publish an entry, which stays in the outbox until its attempts are recorded.
 * @param entries as they were read last
 */
async function readEventsOf(past: StoredWorld, entries: readonly OutboxEntry[]) {
  const next = await nextSequence(past);
  const after = await readEntries(past);
  if (numbersOf(after) !== numbersOf(entries)) {
    return readEventsOf(past, after);
  }
  const isPublished = await mapLimit(
    ENTRIES_AT_ONCE,
    after,
    async ({ key, firstSequence }) =>
      // Another runner's events may have the number that an entry has noted.
      firstSequence !== null &&
      firstSequence < next &&
      (await readEventsOfEntry(past, firstSequence, key.sk)) !== null,
  );
  return { next, unpublished: after.filter((_, nth) => !isPublished[nth]) };
}

function numbersOf(entries: readonly OutboxEntry[]): string {
  return entries
    .map(({ key, firstSequence }) => `${key.pk} ${key.sk} ${firstSequence}`)
    .toSorted()
    .join();
}

/**
 * What the deletion of an ended epoch needs to know beforehand.
 * @returns `endpointIds`: of deleted endpoints too, which may have items left; `unfinished`: deletions of earlier epochs
 */
export async function readRest(past: World) {
  const [endpoints, jobs] = await Promise.all([readEndpoints(past), readJobs(jobPks(past))]);
  const cleanings = jobs.flatMap((job) => (job.kind === 'delete-endpoint' ? [job.endpointId] : []));
  const endpointIds = [...endpoints.map(({ id }) => id), ...cleanings];
  return { endpoints, jobs, endpointIds, unfinished: jobs.filter((job) => job.kind === 'delete-epoch') };
}

/**
 * Deletes some items of an ended epoch, in any order, since they are unreachable.
 * @param atMost the most items to delete, so that one call is short
 * @returns how many were deleted: 0 when nothing is left
 */
export async function deleteSomeOf(
  world: World,
  { purge, endpointIds }: Pick<DeleteEpoch, 'purge' | 'endpointIds'>,
  atMost: number,
): Promise<number> {
  const past = { ...world, epoch: purge.epoch };
  let deleted = 0;
  for (const source of sourcesOf(past, purge as StoredPurge, endpointIds)) {
    const keys = await source(atMost - deleted);
    // Needs no conditions: the items are unreachable, and deleting twice does nothing.
    await writeAll([], keys);
    deleted += keys.length;
    if (deleted >= atMost) {
      break;
    }
  }
  return deleted;
}

type Source = (atMost: number) => Promise<readonly Key[]>;

function* sourcesOf(past: World, purge: StoredPurge, endpointIds: readonly string[]): Generator<Source> {
  // Jobs and outbox first: the clock would find them in the due index every minute.
  for (const pk of [...jobPks(past), ...endpointIds.map((id) => queuePk(past, id)), ...outboxPks(past)]) {
    yield (atMost) => keysIn(pk, atMost);
  }
  for (let block = (purge.eventBlock ?? 0) + LATER_EVENT_BLOCKS; block >= 0; block -= 1) {
    for (const pk of eventsPks(past, block)) {
      yield (atMost) => keysIn(pk, atMost);
    }
  }
  for (const name of RESOURCE_NAMES) {
    for (let block = newestBlock(purge.counts[name]); block >= 0; block -= 1) {
      yield (atMost) => listedIn('newest', blockPk(name, past, block), atMost);
    }
  }
  for (const pk of unlistedPks(past)) {
    yield (atMost) => listedIn('related', pk, atMost);
  }
  yield async (atMost) => {
    const pks = endpointIds.flatMap((id) => deliveryPks(past, id));
    const found = await Promise.all(pks.map((pk) => keysIn(pk, atMost)));
    return found.flat().slice(0, atMost);
  };
  for (const pk of [
    ...providerEventPks(past),
    endpointsPk(past),
    settlementDaysPk(past),
    ...balancePks(past),
    ...requestPks(past),
    nextRunKey(past).pk,
    leaseKey(past).pk,
  ]) {
    yield (atMost) => keysIn(pk, atMost);
  }
}

async function countList(past: World, name: ResourceName, purge: Purge): Promise<number> {
  const count = purge.counts[name];
  const blocks = Array.from({ length: count === 0 ? 0 : newestBlock(count) + 1 }, (_, block) => block);
  const counts = await mapLimit(BLOCKS_AT_ONCE, blocks, async (block) => {
    let found = 0;
    for await (const entries of indexPages({ index: 'newest', pk: blockPk(name, past, block) })) {
      found += entries.length;
    }
    return found;
  });
  return counts.reduce((sum, found) => sum + found, 0);
}

/** Keys of what a partition of an index lists. */
async function listedIn(index: IndexName, pk: string, atMost: number): Promise<readonly Key[]> {
  return (await queryIndex({ index, pk, limit: atMost })).entries;
}
