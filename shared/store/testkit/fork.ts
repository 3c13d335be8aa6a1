import { chunksOf } from '../../concurrency/chunks-of.ts';
import { mapLimit } from '../../concurrency/map-limit.ts';
import { type Endpoint, isSink } from '../../domain/endpoint.ts';
import { type Job, type JobKind, OWN_JOBS } from '../../domain/job.ts';
import type { LoggedRequest } from '../../domain/logged-request.ts';
import type { Payment } from '../../domain/payment.ts';
import type { PaymentLink } from '../../domain/payment-link.ts';
import { RESOURCE_NAMES } from '../../domain/resource.ts';
import type { TestWorld } from '../../domain/testkit/created-world.ts';
import { type ForkAddresses, forkAddresses } from '../../domain/testkit/fork-addresses.ts';
import { sinkUrl, tokenOf } from '../../domain/testkit/sink.ts';
import type { World } from '../../domain/world.ts';
import { Problem } from '../../errors/problem.ts';
import { readEndpoints } from '../events/endpoint.ts';
import { nextSequence } from '../events/event-log.ts';
import { commit, type Write } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItems } from '../table/get-items.ts';
import { indexPages } from '../table/index-entries.ts';
import { put, queryOf, queryPages, queryPartition, type StoredItem, update } from '../table/item.ts';
import {
  balancePks,
  blockPk,
  deliveryPks,
  dueIndex,
  endpointsPk,
  eventsPks,
  jobPks,
  type Key,
  linkCodeKey,
  newestBlock,
  outboxPks,
  providerEventPks,
  queuePk,
  requestPks,
  scopeOf,
  settlementDaysPk,
  sinkKey,
  unlistedPks,
  worldKey,
} from '../table/keys.ts';
import { pack, unpack } from '../table/packed.ts';
import { BACKLOGGED_ENDPOINTS, COPIED_AT, FORK_SOURCE, type IndexName, WORLD_END } from '../table/table.ts';
import { countersOf, type ForkSource, type StoredWorld } from '../worlds/world.ts';

const PARTITIONS_AT_ONCE = 16;
const READ_AT_ONCE = 300;
/** In one transaction, which takes 4 MB. */
const COPIED_AT_ONCE = 25;
/** A copy that was not renewed for so long has died, and another one may begin. */
export const COPY_HELD_MS = 10_000;
/** The condition that a copy is the last one that was begun; its epoch is passed as `:own`. */
const IS_COPY = `attribute_exists(${FORK_SOURCE}) AND epoch = :own`;
/** Jobs about endpoints of a merchant's own, and about what was there before. */
const NOT_COPIED: readonly JobKind[] = [...OWN_JOBS, 'recover-events'];
/** A world that still gets its content. */
export type Fork = StoredWorld & TestWorld & { readonly forkSource: ForkSource };

/** Attributes of a lease, which is of the source alone. */
const LEASE_ATTRIBUTES = ['owner', 'leaseEndsAtMs'];
/** Attributes that begin or end with the scope of the item. */
const SCOPED = ['pk', 'newestPk', 'relatedPk', 'dueSk'] as const;

/**
 * What shows whether a world has changed since: two equal ones, with only reads of the world in between, mean that these
 * reads saw one state of it. Null while events are still to be published.
 */
export async function readState(world: StoredWorld): Promise<string | null> {
  // First what is to be published: what leaves it is counted below.
  const outbox = await Promise.all(outboxPks(world).map((pk) => queryPartition(pk)));
  if (outbox.flat().length > 0) {
    return null;
  }
  const endpoints = await readEndpoints(world);
  const sinks = endpoints.filter(isSink);
  const [jobs, states, next] = await Promise.all([
    Promise.all(
      [...jobPks(world), ...sinks.map(({ id }) => queuePk(world, id))].map((pk) => queryPartition(pk)),
    ),
    getItems(sinks.map((sink) => sinkKey(tokenOf(sink)))),
    nextSequence(world),
  ]);
  const { epoch, counts, clockOffsetMs, clockVersion } = world;
  const versions = [...endpoints, ...states].map(({ id, version }) => `${id} ${version}`).toSorted();
  return JSON.stringify([
    [epoch, counts, clockOffsetMs, clockVersion, next],
    versions,
    jobs
      .flat()
      .filter(isJob)
      .map(({ pk, sk }) => `${pk} ${sk}`),
  ]);
}

/**
 * Copies what a world holds into another one, which has nothing yet: all but endpoints of the merchant's own, what is
 * to be delivered to them, responses of Idempotency-Keys, leases, and jobs that failed for good. The pages of payers,
 * links and sinks get addresses and secrets of their own, wherever the world names them.
 * @param requireGoing called before each write; it throws if the copy is to stop
 */
export async function copyContent(
  source: StoredWorld,
  target: World,
  requireGoing: () => Promise<void>,
): Promise<void> {
  const sinks = (await readEndpoints(source)).filter(isSink);
  const copied = copierOf(source, target, forkAddresses(source, target, sinks));
  await mapLimit(PARTITIONS_AT_ONCE, [...pagesOf(source, sinks)], async (pages) => {
    for await (const items of pages()) {
      // A few at a time: other requests of this process wait while copies are made.
      for (const some of chunksOf(COPIED_AT_ONCE, items)) {
        await requireGoing();
        const copies = some.flatMap(copied).map((copy) => put(copy));
        // In transactions: the engine of a local service commits each item of a batch by itself, which takes twice as long.
        await (copies.length > 0 && commit(copies));
      }
    }
  });
}

/**
 * The writes that begin a copy. It goes into an epoch of its own, so that whatever an earlier copy still writes is not
 * found, with the clock and the counters of the source. They conflict where another copy was begun since it was read.
 */
export function beginCopy(
  fork: Fork,
  source: StoredWorld,
  realNowMs: number,
): { fork: Fork; writes: Write[] } {
  const { clockOffsetMs, clockVersion, counts, eventBlock } = source;
  const begun: Fork = {
    ...fork,
    ...{ clockOffsetMs, clockVersion, counts, eventBlock },
    epoch: fork.epoch + 1,
    forkSource: { ...fork.forkSource, copiedAtMs: realNowMs },
  };
  const state = {
    ...{ epoch: begun.epoch, clockOffsetMs, clockVersion, [COPIED_AT]: realNowMs },
    ...countersOf(counts),
    ...(eventBlock !== null && { eventBlock }),
    dueSk: dueIndex(begun, fork.id, realNowMs + COPY_HELD_MS).dueSk,
  };
  const names = Object.keys(state);
  const begin = update(worldKey(fork.id), `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`, {
    condition: `${IS_COPY} AND ${COPIED_AT} = :read`,
    values: {
      ...Object.fromEntries(Object.entries(state).map(([name, value]) => [`:${name}`, value])),
      ':own': fork.epoch,
      ':read': fork.forkSource.copiedAtMs,
    },
  });
  return { fork: begun, writes: [begin] };
}

/** Notes that a copy goes on, or with `NO_COPY` that it has ended. Conflicts where another one was begun. */
export function noteCopy({ id, epoch }: Fork, copiedAtMs: number): Write {
  return update(worldKey(id), `SET ${COPIED_AT} = :at`, {
    condition: IS_COPY,
    values: { ':own': epoch, ':at': copiedAtMs },
  });
}

/** Opens a fork that has all content. Conflicts where another copy was begun. */
export function openFork(fork: Fork, backlogged: ReadonlySet<string>): Write {
  const { dueSk } = dueIndex(fork, fork.id, fork.created.expiresAtMs);
  const marks = backlogged.size === 0 ? '' : `, ${BACKLOGGED_ENDPOINTS} = :marks`;
  return update(worldKey(fork.id), `SET dueSk = :due${marks} REMOVE ${FORK_SOURCE}, ${COPIED_AT}`, {
    condition: IS_COPY,
    values: { ':own': fork.epoch, ':due': dueSk, ...(backlogged.size > 0 && { ':marks': backlogged }) },
  });
}

/** Ends a fork whose source is gone. */
export function giveUpFork(fork: World, realNowMs: number): Write {
  return update(worldKey(fork.id), `SET ${WORLD_END} = :now`, {
    condition: `attribute_exists(${FORK_SOURCE})`,
    values: { ':now': realNowMs },
  });
}

type Pages = () => AsyncIterable<readonly StoredItem[]>;

function* pagesOf(source: StoredWorld, sinks: readonly Endpoint[]): Generator<Pages> {
  for (let block = 0; block <= (source.eventBlock ?? 0) + 1; block += 1) {
    yield* eventsPks(source, block).map(wholeOf);
  }
  for (const name of RESOURCE_NAMES.filter((each) => source.counts[each] > 0)) {
    for (let block = newestBlock(source.counts[name]); block >= 0; block -= 1) {
      yield listedIn('newest', blockPk(name, source, block));
    }
  }
  yield* unlistedPks(source).map((pk) => listedIn('related', pk));
  const ofSinks = sinks.flatMap(({ id }) => [queuePk(source, id), ...deliveryPks(source, id)]);
  yield* [
    ...jobPks(source),
    ...ofSinks,
    ...providerEventPks(source),
    endpointsPk(source),
    settlementDaysPk(source),
    ...balancePks(source),
    ...requestPks(source),
  ].map(wholeOf);
}

function wholeOf(pk: string): Pages {
  return async function* () {
    for await (const page of queryPages({ ...queryOf(pk), Limit: READ_AT_ONCE })) {
      yield page.Items ?? [];
    }
  };
}

function listedIn(index: IndexName, pk: string): Pages {
  return async function* () {
    for await (const entries of indexPages({ index, pk, limit: READ_AT_ONCE })) {
      yield await getItems(entries.filter(({ pk: own }) => !own.includes('#MOVE-COUNTS#')));
    }
  };
}

/** Makes the copy of an item; none of those that are not copied. */
function copierOf(
  source: World,
  target: World,
  addresses: ForkAddresses,
): (item: StoredItem) => (Key & StoredItem)[] {
  const move = moverOf(source, target);
  const repack = (item: StoredItem, change: (text: string) => string) => ({
    ...move(item),
    data: pack(change(unpack(item.data as Uint8Array))),
  });

  return (item) => {
    const [kind = ''] = String(item.pk)
      .replace(`${scopeOf(source)}#`, '')
      .split('#');
    switch (kind) {
      case 'JOBS':
      case 'QUEUE':
        return isJob(item) ? [move(item)] : [];
      case 'PAYMENT':
        return [repack(item, changed<Payment>(addresses.ofPayment))];
      case 'LINK':
        return [repack(item, changed<PaymentLink>(addresses.ofLink))];
      case 'EVENTS':
        // JSON text has no line breaks of its own.
        return [repack(item, (bodies) => bodies.split('\n').map(addresses.ofEvent).join('\n'))];
      case 'REQUESTS':
        return [repack(item, changed<LoggedRequest>(addresses.ofRequest))];
      case 'CODE':
        return [{ ...move(item), ...linkCodeKey(addresses.codeOf(codeIn(item))) }];
      case 'ENDPOINTS': {
        const endpoint = fieldsOf<Endpoint>(item);
        if (!isSink(endpoint)) {
          return [];
        }
        const token = addresses.sinkTokenOf(tokenOf(endpoint));
        return [{ ...move(item), url: sinkUrl({ token }, ''), secret: addresses.secretOf(endpoint) }];
      }
      case 'SINK': {
        const token = addresses.sinkTokenOf(String(item.token));
        return [{ ...move(item), ...sinkKey(token), token }];
      }
      case 'SEED':
        if (item.report === null) {
          throw new Problem('seed_in_progress');
        }
        return [move(item)];
      default:
        return [move(item)];
    }
  };
}

/** Moves an item into another world, without its lease. */
function moverOf(source: World, target: World): (item: StoredItem) => Key & StoredItem {
  const [from, to] = [scopeOf(source), scopeOf(target)];
  const rescope = (text: string) =>
    text.startsWith(`${from}#`)
      ? to + text.slice(from.length)
      : text.endsWith(`#${from}`)
        ? text.slice(0, -from.length) + to
        : text;
  return (item) => {
    const kept = Object.entries(item).filter(([name]) => !LEASE_ATTRIBUTES.includes(name));
    const moved = kept.map(([name, value]) => [name, isScoped(name) ? rescope(String(value)) : value]);
    const copy = Object.fromEntries(moved);
    return {
      ...copy,
      ...(copy.worldId !== undefined && { worldId: target.id }),
      ...(copy.worldId !== undefined && copy.epoch !== undefined && { epoch: target.epoch }),
    };
  };
}

function changed<Stored>(change: (stored: Stored) => Stored): (text: string) => string {
  return (text) => JSON.stringify(change(JSON.parse(text) as Stored));
}

function isScoped(name: string): boolean {
  return SCOPED.some((scoped) => scoped === name);
}

function isJob({ job }: StoredItem): boolean {
  return job !== undefined && !NOT_COPIED.includes((JSON.parse(String(job)) as Job).kind);
}

function codeIn({ pk }: StoredItem): string {
  return String(pk).slice(linkCodeKey('').pk.length);
}
