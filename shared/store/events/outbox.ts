import type { SpanContext } from '@opentelemetry/api';
import { SECOND_MS } from '../../domain/clock.ts';
import type { DomainEvent } from '../../domain/event.ts';
import type { World } from '../../domain/world.ts';
import { isFree, type Lease } from '../scheduler/lease.ts';
import type { Write } from '../table/commit.ts';
import { allKeysIn, countPartition, insert, queryPartition, type StoredItem, update } from '../table/item.ts';
import { traceAttributes, traceOf } from '../table/item-trace.ts';
import {
  dueIndex,
  type In,
  type JobPk,
  type Key,
  outboxKey,
  outboxPkOf,
  outboxPks,
  resourceIdInOutbox,
} from '../table/keys.ts';
import { pack, unpack } from '../table/packed.ts';
import { itemsOf } from '../table/write-all.ts';

/** How long the table's stream has, in real time, to wake a dispatcher for an entry; then the clock finds it. */
const FRESH_MS = 5 * SECOND_MS;
/** The kinds of entries: the stream wakes a runner for the first kind; a runner already holds the second. */
const KINDS = ['outbox', 'outbox-held'] as const;

/** What a commit leaves to dispatch. It stays until the first attempt at every endpoint is made or queued. */
export interface OutboxEntry {
  readonly key: Key<In<'OUTBOX'>>;
  readonly resourceId: string;
  readonly events: readonly DomainEvent[];
  /** Jobs that the commit supersedes. */
  readonly supersededJobs: readonly Key<JobPk>[];
  /**
   * The number that its first event has in the event log, or gets: the runner that noted it may have ended before it
   * stored the events. Null where none is noted.
   */
  readonly firstSequence: number | null;
  readonly lease: Lease | null;
  /** The trace of the commit. */
  readonly trace: SpanContext | null;
  /** Endpoints with nothing left to do, where they are finished some at a time. */
  readonly finished: ReadonlySet<string>;
  /** As it is stored: it is published only as it was read, since a payer may have been erased from it. */
  readonly data: Uint8Array;
}

type Contents = Pick<OutboxEntry, 'events' | 'supersededJobs'>;

function packContents({ events, supersededJobs }: Contents): Uint8Array {
  return pack(JSON.stringify({ events, supersededJobs }));
}

/**
 * Puts the events of a commit into the outbox, in its transaction.
 * @param version of the resource: its entries are dispatched in this order
 * @param lease of the runner that dispatches them; null: the table's stream wakes one
 */
export function insertOutboxEntry(
  world: World,
  resource: { readonly id: string; readonly version: number },
  { events, supersededJobs }: Contents,
  lease: Lease | null,
  realNowMs: number,
): Write {
  return insert({
    ...outboxKey(world, resource.id, resource.version),
    ...dueIndex(world, resource.id, realNowMs + FRESH_MS),
    kind: KINDS[lease === null ? 0 : 1],
    ...lease,
    ...traceAttributes(),
    data: packContents({ events, supersededJobs }),
  });
}

/** The entries among writes. */
export function entriesIn(writes: readonly Write[]): OutboxEntry[] {
  const entries = itemsOf(writes).filter((item) => KINDS.some((kind) => kind === item.kind));
  return entries.map(toEntry);
}

/**
 * Entries of these partitions, in the order of time, and those of a resource in the order of their versions.
 * @param onBroken called for entries that cannot be read: they stay, and nothing waits for them. By default, it throws
 * @param leavesHeld leaves out entries that a runner holds now, unless a later entry of the same resource waits
 */
export async function readOutbox(
  pks: readonly In<'OUTBOX'>[],
  { onBroken, leavesHeld = false }: { onBroken?: typeof fail; leavesHeld?: boolean } = {},
): Promise<OutboxEntry[]> {
  const items = await Promise.all(pks.map((pk) => queryPartition(pk)));
  const nowMs = Date.now();
  const isLeft = (item: StoredItem, next: StoredItem | undefined) =>
    leavesHeld && Number(item.leaseEndsAtMs ?? 0) >= nowMs && !(next && isOfSameResource(item, next));
  const wanted = items.flatMap((its) => its.filter((item, nth) => !isLeft(item, its[nth + 1])));
  const entries = wanted.flatMap((item) => {
    try {
      return [toEntry(item)];
    } catch (error) {
      (onBroken ?? fail)(keyOf(item), error);
      return [];
    }
  });
  // A resource's own time never runs backwards.
  return entries.toSorted((one, other) => beganAt(one) - beganAt(other));
}

function fail(_key: Key, error: unknown): void {
  throw error;
}

function isOfSameResource(one: StoredItem, other: StoredItem): boolean {
  return resourceIdInOutbox(keyOf(one)) === resourceIdInOutbox(keyOf(other));
}

function beganAt({ events }: OutboxEntry): number {
  return events[0]?.occurredAtMs ?? 0;
}

/** The entries of one resource, in the order of its versions. */
export async function readOutboxOf(world: World, resourceId: string): Promise<OutboxEntry[]> {
  const items = await queryPartition(outboxPkOf(world, resourceId), [
    'begins_with(sk, :sk)',
    `${resourceId}#`,
  ]);
  return items.map(toEntry);
}

/**
 * The entries of the resources of those that were just written, in the order of their versions. One read for each
 * partition shows which resources have others: few have.
 */
export async function readOutboxAround(
  world: World,
  written: readonly OutboxEntry[],
): Promise<OutboxEntry[]> {
  const [only, ...more] = written;
  if (only === undefined || more.length === 0) {
    return only === undefined ? [] : readOutboxOf(world, only.resourceId);
  }
  const own = new Set(written.map(({ key }) => key.sk));
  const pks = new Set(written.map(({ key }) => key.pk));
  const keys = await Promise.all([...pks].map((pk) => allKeysIn(pk)));
  const others = new Set(keys.flat().flatMap((key) => (own.has(key.sk) ? [] : [resourceIdInOutbox(key)])));
  const entries = written.map((entry) =>
    others.has(entry.resourceId) ? readOutboxOf(world, entry.resourceId) : [entry],
  );
  return (await Promise.all(entries)).flat();
}

/** How many entries a world's outbox has. */
export async function countOutbox(world: World): Promise<number> {
  const counts = await Promise.all(outboxPks(world).map((pk) => countPartition(pk)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Notes, once, the number of an entry's first event, and the lease of the runner that publishes and dispatches it. */
export function noteSequence(entry: OutboxEntry, firstSequence: number, lease: Lease): Write {
  const { key } = entry;
  const { condition, names, values } = isUnnumbered(entry, lease);
  return update(
    key,
    'SET firstSequence = :firstSequence, #owner = :owner, leaseEndsAtMs = :ends, kind = :held',
    {
      condition,
      names,
      // The stream wakes no runner for this kind.
      values: { ...values, ':firstSequence': firstSequence, ':ends': lease.leaseEndsAtMs, ':held': KINDS[1] },
    },
  );
}

/** Takes the number of an entry back, which another's events have: the entry gets a new one. */
export function forgetSequence({ key, firstSequence }: OutboxEntry, { owner }: Lease): Write {
  return update(key, 'REMOVE firstSequence', {
    condition: 'firstSequence = :firstSequence AND #owner = :owner',
    names: { '#owner': 'owner' },
    values: { ':firstSequence': firstSequence, ':owner': owner },
  });
}

/** Records endpoints with nothing left to do, unless another runner has recorded one of them. */
export function noteFinished(key: Key, endpointIds: readonly string[]): Write {
  const names = endpointIds.map((id, nth) => [`:${nth}`, id] as const);
  const isOpen = names.map(([name]) => `NOT contains(finished, ${name})`);
  return update(key, 'ADD finished :finished', {
    condition: ['attribute_exists(pk)', ...isOpen].join(' AND '),
    values: { ':finished': new Set(endpointIds), ...Object.fromEntries(names) },
  });
}

/** Removes an entry whose events are published in the same transaction, and that no endpoint needs. */
export function removePublished(entry: OutboxEntry, lease: Lease): Write {
  return { remove: { key: entry.key, ...isUnnumbered(entry, lease) } };
}

function isUnnumbered({ data }: OutboxEntry, lease: Lease) {
  const { condition, names, values } = isFree(lease);
  return {
    condition: `#data = :data AND attribute_not_exists(firstSequence) AND (${condition})`,
    names: { ...names, '#data': 'data' },
    values: { ...values, ':data': data },
  };
}

/**
 * Rewrites the events of an entry, and forgets the state of its trace, unless it has changed since, or has got a number.
 * A runner that publishes it meanwhile reads it again.
 */
export function rewriteEntry(
  { key, supersededJobs, firstSequence, data }: OutboxEntry,
  events: readonly DomainEvent[],
): Write {
  const isNumbered = firstSequence !== null;
  return update(key, 'SET #data = :next REMOVE tracestate', {
    condition: `#data = :data AND ${isNumbered ? 'firstSequence = :firstSequence' : 'attribute_not_exists(firstSequence)'}`,
    names: { '#data': 'data' },
    values: {
      ':data': data,
      ':next': packContents({ events, supersededJobs }),
      ...(isNumbered && { ':firstSequence': firstSequence }),
    },
  });
}

function keyOf({ pk, sk }: StoredItem): OutboxEntry['key'] {
  return { pk: pk as In<'OUTBOX'>, sk: String(sk) };
}

/** @throws Error for an entry that cannot be read */
function toEntry(item: StoredItem): OutboxEntry {
  const { data, firstSequence, owner, leaseEndsAtMs, finished } = item;
  const key = keyOf(item);
  const { events, supersededJobs } = JSON.parse(unpack(data as Uint8Array)) as Contents;
  return {
    key,
    resourceId: resourceIdInOutbox(key),
    events,
    supersededJobs,
    firstSequence: firstSequence === undefined ? null : Number(firstSequence),
    lease: owner === undefined ? null : { owner: String(owner), leaseEndsAtMs: Number(leaseEndsAtMs) },
    finished: new Set(finished as Iterable<string> | undefined),
    trace: traceOf(item),
    data: data as Uint8Array,
  };
}
