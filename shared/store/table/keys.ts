import { hashSecret, modeOfSecret } from '../../domain/api-key.ts';
import { partsOf } from '../../domain/id.ts';
import { RESOURCE_NAMES, type ResourceName } from '../../domain/resource.ts';
import { ordinalOf } from '../../domain/resource-number.ts';
import { sha256Hex } from '../../domain/secret.ts';
import { isCreatedWorldId, type Mode, WORLD_ID_CHARS, type World } from '../../domain/world.ts';
import {
  type ByPartition,
  type ListPartition,
  listBy,
  RESOURCE_ITEMS,
  type ResourcePartition,
} from './resource-items.ts';
import type { IndexName } from './table.ts';

/*
 * Every key of the table is built here. `shared/INDEX.md` has the partitions as tables, printed from what follows.
 *
 * <scope> is `<world id>.<epoch>`, so every key of a tenant's item names the tenant: an id of another tenant, or from
 * before a purge, is not found. Lists are split into blocks of BLOCK_SIZE numbers so that no partition grows with the
 * merchant; jobs and delivery logs are spread over shards for the same reason.
 */

/** Matches every scope: `?` is one character, `*` any number of them. Keys without a scope do not match. */
const ANY_SCOPE = `${'?'.repeat(WORLD_ID_CHARS)}.*`;

function patternsOf<Partition extends string>(partitions: readonly Partition[]) {
  const patterns = partitions.map((partition) => [partition, `${ANY_SCOPE}#${partition}#*`]);
  return Object.fromEntries(patterns) as Readonly<Record<Partition, string>>;
}

/** Every kind of partition and the pattern of its keys. The grants of functions are made from these. */
export const PARTITIONS = {
  /** API key of live mode, by the hash of its secret. */
  KEY: 'KEY#*',
  /** API key of test mode, by the hash of its secret. */
  'TEST-KEY': 'TEST-KEY#*',
  /** Audit entry: what an operator did, never changed. */
  AUDIT: 'AUDIT#*',
  /** Audit entry of a webhook endpoint: the action of a key. Functions write it and cannot find it again. */
  'ENDPOINT-AUDIT': 'ENDPOINT-AUDIT#*',
  /** World of a merchant: epoch, clock offset, counters. */
  WORLD: 'WORLD#*',
  /** World that a merchant has created: the same, with its end. */
  'TEST-WORLD': 'TEST-WORLD#*',
  /** Created worlds of a merchant, at most 200: the id and the end of each. */
  'WORLD-SLOTS': 'WORLD-SLOTS#*',
  /** Slots of enabled endpoints, 64 in all created worlds of a merchant: which endpoint took each last. */
  'ENDPOINT-SLOTS': 'ENDPOINT-SLOTS#*',
  ...patternsOf<ResourcePartition>(RESOURCE_NAMES.map((name) => RESOURCE_ITEMS[name].partition)),
  /** Events of a commit that are still to be dispatched, by resource and version. */
  OUTBOX: `${ANY_SCOPE}#OUTBOX#*`,
  /** Event log: the published events of a commit, by the sequence of the first. */
  EVENTS: `${ANY_SCOPE}#EVENTS#*`,
  /** World and id of a link, by its public code. */
  CODE: 'CODE#*',
  /** How many forms a link got in a minute; how often the payer of a live payment chose. */
  POSTS: `${ANY_SCOPE}#POSTS#*`,
  /** Settlement, by provider and day: at most one of each. */
  'SETTLEMENT-DAYS': `${ANY_SCOPE}#SETTLEMENT-DAYS`,
  /** Unsettled balance and statistics of a day. */
  BALANCES: `${ANY_SCOPE}#BALANCES#*`,
  /** Provider event, by the hash of its id. */
  'PROVIDER-EVENTS': `${ANY_SCOPE}#PROVIDER-EVENTS#*`,
  /** Webhook endpoints, at most 36: merchants' own and those of sinks. */
  ENDPOINTS: `${ANY_SCOPE}#ENDPOINTS`,
  /** Sink, with its world and slot, by the hash of its token. */
  SINK: 'SINK#*',
  /** World of a provider's notifications, by the hash of the token in their URL. */
  NOTIFICATIONS: 'NOTIFICATIONS#*',
  /** Delivery log of an endpoint: the attempts that were made at one instant. */
  DELIVERIES: `${ANY_SCOPE}#DELIVERIES#*`,
  /** Request of a test world, in its log. */
  REQUESTS: `${ANY_SCOPE}#REQUESTS#*`,
  /** Claim and saved response of an Idempotency-Key, by its hash. */
  CLAIM: `${ANY_SCOPE}#CLAIM#*`,
  /** Next run of a world whose clock was moved. */
  'NEXT-RUN': `${ANY_SCOPE}#NEXT-RUN`,
  /** Record of the seeding of a profile. */
  SEED: `${ANY_SCOPE}#SEED#*`,
  /** Jobs that failed for good, by real time. */
  PARKED: 'PARKED',
  /** Move of the clock whose response is not saved yet, by the hash of world and Idempotency-Key. */
  MOVE: 'MOVE#*',
  /** Counts of the jobs that a move ran, in several counters. */
  'MOVE-COUNTS': `${ANY_SCOPE}#MOVE-COUNTS#*`,
  /** Jobs, by when they are due. */
  JOBS: `${ANY_SCOPE}#JOBS#*`,
  /** Queued attempts of an endpoint, by when they are due, and the leases of its runner and of a ping. */
  QUEUE: `${ANY_SCOPE}#QUEUE#*`,
  /** Leases of the slots for runners that work on queues of a merchant, in one mode. */
  'RUNNER-SLOTS': 'RUNNER-SLOTS#*',
  /** Lease of the request that moves the clock of a world. */
  LEASE: `${ANY_SCOPE}#LEASE`,
  /** Purge of a world, by the hash of its Idempotency-Key. */
  PURGE: 'PURGE#*',
} as const;

/** Every kind of partition of the indexes. */
export const INDEX_PARTITIONS = {
  newest: {
    ...patternsOf<ListPartition>(RESOURCE_NAMES.map((name) => `${RESOURCE_ITEMS[name].partition}S` as const)),
    /** API keys, by id. */
    KEYS: 'KEYS',
    /** The audit of all. */
    AUDIT: 'AUDIT',
  },
  related: {
    ...patternsOf<ByPartition>(RESOURCE_NAMES.flatMap((name) => listBy(name)?.partition ?? [])),
    /** Events of a resource. */
    'RESOURCE-EVENTS': `${ANY_SCOPE}#RESOURCE-EVENTS#*`,
    /** API keys of a merchant. */
    KEYS: 'KEYS*',
    /** The audit of a merchant. */
    AUDIT: 'AUDIT#*',
    /** Jobs of a world that failed for good, to count them. */
    FAILED: `${ANY_SCOPE}#FAILED`,
    /** Items that are in no list, for a purge to find. */
    UNLISTED: `${ANY_SCOPE}#UNLISTED#*`,
  },
  due: {
    /** What is due in real time in test worlds: jobs, what the outbox holds too long, created worlds by their end. */
    DUE: 'DUE#*',
    /** What is due in real time in live worlds. */
    'LIVE-DUE': 'LIVE-DUE#*',
  },
} as const satisfies Record<IndexName, Readonly<Record<string, string>>>;

/**
 * The kinds of items that each kind of partition of an index lists. An item has the scope of the partition,
 * unless its kind has none.
 */
const LISTED: Readonly<Record<string, readonly (keyof typeof PARTITIONS)[]>> = {
  ...Object.fromEntries(
    RESOURCE_NAMES.flatMap((name) => {
      const { partition } = RESOURCE_ITEMS[name];
      const by = listBy(name)?.partition ?? [];
      return [`${partition}S`, by].flat().map((list) => [list, [partition]]);
    }),
  ),
  'RESOURCE-EVENTS': ['EVENTS'],
  FAILED: ['PARKED'],
  UNLISTED: ['CODE', 'SINK', 'SEED', 'MOVE-COUNTS'],
  KEYS: ['KEY', 'TEST-KEY'],
  AUDIT: ['AUDIT', 'ENDPOINT-AUDIT'],
  DUE: ['JOBS', 'QUEUE', 'OUTBOX', 'NEXT-RUN', 'TEST-WORLD'],
  'LIVE-DUE': ['JOBS', 'QUEUE', 'OUTBOX'],
};

/** Whether an item belongs into the partition of an index that lists it: its writer chooses where it is listed. */
export function isListedIn(indexPk: string, indexSk: string, pk: string): boolean {
  const list = kindOf(indexPk);
  const item = kindOf(pk);
  // The sort key of what is due names the scope.
  const scope = list.kind.endsWith('DUE') ? indexSk.slice(indexSk.indexOf('#') + 1) : list.scope;
  return (LISTED[list.kind] ?? []).some(
    (kind) => kind === item.kind && item.scope === (PARTITIONS[kind].startsWith(ANY_SCOPE) ? scope : null),
  );
}

/** The kind of a partition, and its scope where it has one: the id of a world and an epoch, with a dot between. */
function kindOf(pk: string): { readonly kind: string; readonly scope: string | null } {
  const [first = '', second = ''] = pk.split('#', 2);
  return first.includes('.') ? { kind: second, scope: first } : { kind: first, scope: null };
}

/** @typeParam Pk the kind of its partition, where that is known: the grants of functions are compared with it */
export interface Key<Pk extends string = string> {
  readonly pk: Pk;
  readonly sk: string;
}

/** Names the kind of item in the type, so that a resource cannot be written without its events: see `writes.ts`. */
export interface KeyOf<Name extends ResourceName> extends Key<In<ResourcePartition<Name>>> {
  readonly of?: Name;
}

/** The keys of partitions of a kind: one for each scope, or several. */
type One<Kind extends string> = `${string}#${Kind}`;
export type In<Kind extends string> = `${string}#${Kind}#${string}`;

/** A partition of due work: jobs of a world, or queued attempts of an endpoint. */
export type JobPk = In<'JOBS'> | In<'QUEUE'>;

type Scope = Pick<World, 'id' | 'epoch'>;
/** A scope whose mode says how far its work is spread. */
type ScopeOfMode = Scope & Pick<World, 'mode'>;

/** The prefix of every partition key of a world: `<world id>.<epoch>`. */
export function scopeOf({ id, epoch }: Scope): string {
  return `${id}.${epoch}`;
}

/** The id of the world that a partition belongs to: one with a scope, or that of a world's own item. */
export function worldIdOfPk(pk: string): string {
  const { kind, scope } = kindOf(pk);
  return scope === null ? pk.slice(kind.length + 1) : scope.slice(0, scope.indexOf('.'));
}

export const BLOCK_SIZE = 1_000;
/**
 * Over how many partitions the busy kinds of each mode are spread: reads of a kind ask all of its partitions, so a test
 * world, which needs no thousand payments a second, has fewer.
 * @internal
 */
export const SHARDS = {
  BALANCES: { test: 1, live: 4 },
  DUE: { test: 48, live: 16 },
  EVENTS: { test: 2, live: 4 },
  JOBS: { test: 4, live: 16 },
  OUTBOX: { test: 4, live: 16 },
} as const satisfies Readonly<Record<string, Readonly<Record<Mode, number>>>>;
const PROVIDER_EVENT_SHARDS = 4;
const UNLISTED_SHARDS = 4;
const DELIVERY_SHARDS = 8;
const REQUEST_SHARDS = 4;
/** This many consecutive numbers share a partition, so that reading a page needs few partitions. */
const EVENT_STRIPE = 16;
const TIME_DIGITS = 15;
const ORDER_DIGITS = 12;
const VERSION_DIGITS = 8;
const SLOT_DIGITS = 2;
const WORLD_SLOT_DIGITS = 3;
const ENDPOINT_SLOT_DIGITS = 2;

/** Where the key of a secret is stored: its prefix tells the mode. */
export function apiKeyKey(secret: string): Key<`KEY#${string}` | `TEST-KEY#${string}`> {
  return modeOfSecret(secret) === 'test'
    ? testApiKeyKey(secret)
    : { pk: `KEY#${hashSecret(secret)}`, sk: 'KEY' };
}

/** Lies apart from live keys, so that IAM can let a function write keys of test mode alone (contract §16). */
export function testApiKeyKey(secret: string): Key<`TEST-KEY#${string}`> {
  return { pk: `TEST-KEY#${hashSecret(secret)}`, sk: 'KEY' };
}

export function worldKey(worldId: string): Key<`WORLD#${string}` | `TEST-WORLD#${string}`> {
  return isCreatedWorldId(worldId) ? createdWorldKey(worldId) : { pk: `WORLD#${worldId}`, sk: 'WORLD' };
}

/** Lies apart from merchants' own worlds, so that a function that creates worlds can write no other one. */
export function createdWorldKey(worldId: string): Key<`TEST-WORLD#${string}`> {
  return { pk: `TEST-WORLD#${worldId}`, sk: 'WORLD' };
}

/** The partition of the slots for created worlds of a merchant. */
export function worldSlotsPk(merchant: string): `WORLD-SLOTS#${string}` {
  return `WORLD-SLOTS#${merchant}`;
}

export function worldSlotKey(merchant: string, slot: number): Key<`WORLD-SLOTS#${string}`> {
  return { pk: worldSlotsPk(merchant), sk: digits(slot, WORLD_SLOT_DIGITS) };
}

/** The partition of the slots for enabled endpoints in all created worlds of a merchant. */
export function endpointSlotsPk(merchant: string): `ENDPOINT-SLOTS#${string}` {
  return `ENDPOINT-SLOTS#${merchant}`;
}

export function endpointSlotKey(merchant: string, slot: number): Key<`ENDPOINT-SLOTS#${string}`> {
  return { pk: endpointSlotsPk(merchant), sk: digits(slot, ENDPOINT_SLOT_DIGITS) };
}

/** The key of a resource. */
export function keyOf<Name extends ResourceName>(name: Name, world: Scope, id: string): KeyOf<Name> {
  const { partition } = RESOURCE_ITEMS[name];
  return { pk: `${scopeOf(world)}#${partition}#${id}`, sk: partition };
}

export function linkCodeKey(code: string): Key<`CODE#${string}`> {
  return { pk: `CODE#${code}`, sk: 'CODE' };
}

export function linkPostsKey(world: Scope, linkId: string, minute: number): Key<In<'POSTS'>> {
  return { pk: `${scopeOf(world)}#POSTS#${linkId}`, sk: String(minute) };
}

export function choicesKey(world: Scope, paymentId: string): Key<In<'POSTS'>> {
  return { pk: `${scopeOf(world)}#POSTS#${paymentId}`, sk: 'CHOICES' };
}

export function claimKey(world: Scope, hash: string): Key<In<'CLAIM'>> {
  return { pk: `${scopeOf(world)}#CLAIM#${hash}`, sk: 'CLAIM' };
}

/** One partition for all settlements by day: a world makes only a few a day. */
export function settlementDaysPk(world: Scope): One<'SETTLEMENT-DAYS'> {
  return `${scopeOf(world)}#SETTLEMENT-DAYS`;
}

export function settlementDayKey(world: Scope, provider: string, day: string): Key<One<'SETTLEMENT-DAYS'>> {
  return { pk: settlementDaysPk(world), sk: `${provider}#${day}` };
}

export function balanceKey(world: Scope, day: string, shard: number): Key<In<'BALANCES'>> {
  return { pk: balancesPk(world, shard), sk: day };
}

/** The partitions over which a world's balances are spread. */
export function balancePks(world: ScopeOfMode): In<'BALANCES'>[] {
  return pksOf(SHARDS.BALANCES[world.mode], (shard) => balancesPk(world, shard));
}

/** The shard of a day's balance that gets what happened at an instant. */
export function balanceShardOf({ mode }: ScopeOfMode, atMs: number): number {
  return shardOf(String(atMs), SHARDS.BALANCES[mode]);
}

function balancesPk(world: Scope, shard: number): In<'BALANCES'> {
  return `${scopeOf(world)}#BALANCES#${shard}`;
}

export function providerEventKey(world: Scope, eventId: string): Key<In<'PROVIDER-EVENTS'>> {
  return { pk: providerEventsPk(world, shardOf(eventId, PROVIDER_EVENT_SHARDS)), sk: sha256Hex(eventId) };
}

/** The partitions over which a world's provider events are spread. */
export function providerEventPks(world: Scope): In<'PROVIDER-EVENTS'>[] {
  return pksOf(PROVIDER_EVENT_SHARDS, (shard) => providerEventsPk(world, shard));
}

function providerEventsPk(world: Scope, shard: number): In<'PROVIDER-EVENTS'> {
  return `${scopeOf(world)}#PROVIDER-EVENTS#${shard}`;
}

/** The outbox entry of a commit: the entries of one resource sort by its version. */
export function outboxKey(world: ScopeOfMode, resourceId: string, version: number): Key<In<'OUTBOX'>> {
  return { pk: outboxPkOf(world, resourceId), sk: `${resourceId}#${digits(version, VERSION_DIGITS)}` };
}

/** The partition of the outbox entries of one resource. */
export function outboxPkOf(world: ScopeOfMode, resourceId: string): In<'OUTBOX'> {
  return outboxPk(world, shardOf(resourceId, SHARDS.OUTBOX[world.mode]));
}

/** The resource of an outbox entry. */
export function resourceIdInOutbox({ sk }: Key): string {
  return sk.slice(0, sk.indexOf('#'));
}

/** The partitions over which a world's outbox is spread. */
export function outboxPks(world: ScopeOfMode): In<'OUTBOX'>[] {
  return pksOf(SHARDS.OUTBOX[world.mode], (shard) => outboxPk(world, shard));
}

function outboxPk(world: Scope, shard: number): In<'OUTBOX'> {
  return `${scopeOf(world)}#OUTBOX#${shard}`;
}

/** The key of the events of a commit in the log, by the sequence number of the first of them. */
export function eventsKey(world: ScopeOfMode, sequence: number): Key<In<'EVENTS'>> {
  const shard = Math.floor(sequence / EVENT_STRIPE) % SHARDS.EVENTS[world.mode];
  return { pk: eventsPk(world, eventBlockOf(sequence), shard), sk: sequenceSk(sequence) };
}

/** The partitions over which a block of the event log is spread, by turns. */
export function eventsPks(world: ScopeOfMode, block: number): In<'EVENTS'>[] {
  return pksOf(SHARDS.EVENTS[world.mode], (shard) => eventsPk(world, block, shard));
}

function eventsPk(world: Scope, block: number, shard: number): In<'EVENTS'> {
  return `${scopeOf(world)}#EVENTS#${block}#${shard}`;
}

/** The block of the event log that begins no later than this number, and so holds it or ends just before. */
export function eventBlockOf(sequence: number): number {
  return newestBlock(sequence);
}

/** The first number of a block of the event log. */
export function firstOfEventBlock(block: number): number {
  return block * BLOCK_SIZE + 1;
}

export function sequenceSk(sequence: number): string {
  return digits(sequence, ORDER_DIGITS);
}

/** The list of the events of one resource. */
export function resourceEventsPk(world: Scope, resourceId: string): In<'RESOURCE-EVENTS'> {
  return `${scopeOf(world)}#RESOURCE-EVENTS#${resourceId}`;
}

export function endpointsPk(world: Scope): One<'ENDPOINTS'> {
  return `${scopeOf(world)}#ENDPOINTS`;
}

export function endpointKey(world: Scope, slot: number): Key<One<'ENDPOINTS'>> {
  return { pk: endpointsPk(world), sk: digits(slot, SLOT_DIGITS) };
}

export function sinkKey(token: string): Key<`SINK#${string}`> {
  return { pk: `SINK#${sha256Hex(token)}`, sk: 'SINK' };
}

export function notificationsKey(token: string): Key<`NOTIFICATIONS#${string}`> {
  return { pk: `NOTIFICATIONS#${sha256Hex(token)}`, sk: 'NOTIFICATIONS' };
}

/** @param id of the first of the attempts that were made at one instant */
export function deliveryKey(world: Scope, endpointId: string, id: string): Key<In<'DELIVERIES'>> {
  return { pk: deliveriesPk(world, endpointId, shardOf(String(partsOf(id).atMs), DELIVERY_SHARDS)), sk: id };
}

/** The partitions of an endpoint's delivery log: an endpoint may get every event of its merchant. */
export function deliveryPks(world: Scope, endpointId: string): In<'DELIVERIES'>[] {
  return pksOf(DELIVERY_SHARDS, (shard) => deliveriesPk(world, endpointId, shard));
}

function deliveriesPk(world: Scope, endpointId: string, shard: number): In<'DELIVERIES'> {
  return `${scopeOf(world)}#DELIVERIES#${endpointId}#${shard}`;
}

export function requestKey(world: Scope, id: string): Key<In<'REQUESTS'>> {
  return { pk: requestsPk(world, shardOf(id, REQUEST_SHARDS)), sk: id };
}

/** The partitions over which a world's log of requests is spread. */
export function requestPks(world: Scope): In<'REQUESTS'>[] {
  return pksOf(REQUEST_SHARDS, (shard) => requestsPk(world, shard));
}

function requestsPk(world: Scope, shard: number): In<'REQUESTS'> {
  return `${scopeOf(world)}#REQUESTS#${shard}`;
}

/** Not in the world's partition, where IAM could not distinguish it from the world. */
export function leaseKey(world: Scope): Key<One<'LEASE'>> {
  return { pk: `${scopeOf(world)}#LEASE`, sk: 'LEASE' };
}

/** Not in an epoch: a retried purge must find its record in the next one. */
export function purgeKey(worldId: string, idempotencyKey: string): Key<`PURGE#${string}`> {
  return { pk: `PURGE#${worldId}`, sk: sha256Hex(idempotencyKey) };
}

export function nextRunKey(world: Scope): Key<One<'NEXT-RUN'>> {
  return keyOfNextRun(`${scopeOf(world)}#NEXT-RUN`);
}

/** @param pk as `isNextRun` tells it */
export function keyOfNextRun(pk: One<'NEXT-RUN'>): Key<One<'NEXT-RUN'>> {
  return { pk, sk: 'NEXT-RUN' };
}

export function seedKey(world: Scope, profile: string): Key<In<'SEED'>> {
  return { pk: `${scopeOf(world)}#SEED#${profile}`, sk: 'SEED' };
}

/** One partition for all jobs that failed for good: there are few, and only operators read them. */
export const PARKED_PK = 'PARKED';

export function parkedKey(realNowMs: number, jobKeyOf: Key): Key<typeof PARKED_PK> {
  return { pk: PARKED_PK, sk: `${digits(realNowMs, TIME_DIGITS)}#${jobKeyOf.pk}#${jobKeyOf.sk}` };
}

/** Where the jobs of a world that failed for good are listed. */
export function failedPk(world: Scope): One<'FAILED'> {
  return `${scopeOf(world)}#FAILED`;
}

/** @param jobKeyOf of the job, whose partition names its scope */
export function failedIndex(jobKeyOf: Key, { sk }: Key) {
  return relatedIndex(`${kindOf(jobKeyOf.pk).scope}#FAILED`, sk);
}

/** In no epoch: a move whose request continues after a purge must not be made again. */
export function moveKey(worldId: string, idempotencyKey: string): Key<`MOVE#${string}`> {
  return { pk: `MOVE#${sha256Hex(`${worldId} ${idempotencyKey}`)}`, sk: 'MOVE' };
}

export function moveCountsPk(world: Scope, idempotencyKey: string): In<'MOVE-COUNTS'> {
  return `${scopeOf(world)}#MOVE-COUNTS#${sha256Hex(idempotencyKey)}`;
}

/** Counts of the jobs that a move ran. Jobs that run side by side use different counters, so they do not conflict. */
export function moveCountsKey(world: Scope, idempotencyKey: string, counter: number): Key<In<'MOVE-COUNTS'>> {
  return { pk: moveCountsPk(world, idempotencyKey), sk: `COUNTER#${counter}` };
}

/**
 * Jobs sort by due time, then by `order`.
 * @param pk the partition of the job's subject, or of its endpoint's queue
 * @param id for a job of a resource always the same, so that a change that ends it finds it
 */
export function jobKey<Pk extends string>(pk: Pk, dueAtMs: number, order: number, id: string): Key<Pk> {
  return { pk, sk: `${digits(dueAtMs, TIME_DIGITS)}#${digits(order, ORDER_DIGITS)}#${id}` };
}

/** The partition of the jobs about one id. */
export function jobPkOf(world: ScopeOfMode, aboutId: string): In<'JOBS'> {
  return `${scopeOf(world)}#JOBS#${shardOf(aboutId, SHARDS.JOBS[world.mode])}`;
}

/** The lease of an endpoint's queue: it sorts after all queued attempts. */
export function queueLeaseKey<Pk extends string>(pk: Pk): Key<Pk> {
  return { pk, sk: 'LEASE' };
}

/** The slots for runners that work on queues of a merchant, in all its worlds of a mode. */
export function runnerSlotsPk({
  mode,
  merchant,
}: Pick<World, 'mode' | 'merchant'>): `RUNNER-SLOTS#${string}` {
  return `RUNNER-SLOTS#${mode}#${merchant}`;
}

/** The lease of a ping to an endpoint: it is deleted with the rest of the endpoint's queue. */
export function pingLeaseKey(world: Scope, endpointId: string): Key<In<'QUEUE'>> {
  return { pk: queuePk(world, endpointId), sk: 'LEASE#PING' };
}

/** Whether a partition holds when a world must run next. */
export function isNextRun(pk: string): pk is One<'NEXT-RUN'> {
  return kindOf(pk).kind === 'NEXT-RUN';
}

/** Whether a partition is the queue of an endpoint. */
export function isQueue(pk: string): pk is In<'QUEUE'> {
  return kindOf(pk).kind === 'QUEUE';
}

/** The endpoint of a queue; null where the partition is no queue of this world, in its epoch. */
export function endpointOfQueue(world: Scope, pk: string): string | null {
  const prefix = queuePk(world, '');
  return pk.startsWith(prefix) ? pk.slice(prefix.length) : null;
}

/** The partition of one endpoint's queued attempts: its backlog delays no other endpoint. */
export function queuePk(world: Scope, endpointId: string): In<'QUEUE'> {
  return `${scopeOf(world)}#QUEUE#${endpointId}`;
}

/** The partitions over which a world's jobs are spread. */
export function jobPks(world: ScopeOfMode): In<'JOBS'>[] {
  return pksOf(SHARDS.JOBS[world.mode], (shard) => `${scopeOf(world)}#JOBS#${shard}`);
}

/** The last sort key of what is due by an instant, inclusive: of jobs, or in the due index. */
export function skUntil(untilMs: number): string {
  return `${digits(untilMs, TIME_DIGITS)}#~`;
}

/** What the keys of due work of each mode begin with. The filters of the table's stream tell the modes by it, too. */
export const DUE_PREFIXES = { test: 'DUE#', live: 'LIVE-DUE#' } as const satisfies Record<Mode, string>;
export type DuePk = `${(typeof DUE_PREFIXES)[Mode]}${number}`;

/** The partitions of the due index that list the work of a mode. */
export function duePks(mode: Mode): DuePk[] {
  return pksOf(SHARDS.DUE[mode], (shard): DuePk => `${DUE_PREFIXES[mode]}${shard}`);
}

/**
 * Is kept apart for live worlds, so that no amount of work of test worlds delays theirs.
 * @param realDueAtMs when the clock is to find the item, in real time
 */
export function dueIndex(world: ScopeOfMode, aboutId: string, realDueAtMs: number) {
  return {
    duePk: `${DUE_PREFIXES[world.mode]}${shardOf(aboutId, SHARDS.DUE[world.mode])}`,
    dueSk: `${digits(realDueAtMs, TIME_DIGITS)}#${scopeOf(world)}`,
  };
}

/** The block of a list that a number falls into; NaN where the text is no number of a resource. */
export function blockOf(number: string): number {
  return Math.floor((ordinalOf(number) - 1) / BLOCK_SIZE);
}

/** The newest block when this many numbers were assigned. */
export function newestBlock(count: number): number {
  return Math.floor(Math.max(count - 1, 0) / BLOCK_SIZE);
}

/** One block of the list of all items of a kind. */
export function blockPk<Name extends ResourceName>(
  name: Name,
  world: Scope,
  block: number,
): In<ListPartition<Name>> {
  return `${scopeOf(world)}#${RESOURCE_ITEMS[name].partition}S#${block}`;
}

/** A resource's entry in the list of its kind. */
export function newestIndex(
  name: ResourceName,
  world: Scope,
  { number, id }: { number: string; id: string },
) {
  return { newestPk: blockPk(name, world, blockOf(number)), newestSk: id };
}

/** The list of the items that share a value. */
export function byPk(name: ResourceName, world: Scope, value: string): string {
  const by = listBy(name);
  return `${scopeOf(world)}#${by?.partition}#${by?.isText === true ? sha256Hex(value) : value}`;
}

/** Index entries through which a purge finds items that are in no list. */
export function unlistedIndex(world: Scope, id: string) {
  return relatedIndex(`${scopeOf(world)}#UNLISTED#${shardOf(id, UNLISTED_SHARDS)}`, id);
}

export function unlistedPks(world: Scope): In<'UNLISTED'>[] {
  return pksOf(UNLISTED_SHARDS, (shard) => `${scopeOf(world)}#UNLISTED#${shard}`);
}

/** One partition for all API keys: operators create them by hand, and only the command line lists them. */
export const API_KEYS_PK = 'KEYS';

export function merchantKeysPk(merchant: string): `KEYS#${string}` {
  return `${API_KEYS_PK}#${merchant}`;
}

export function apiKeyIndexes(merchant: string, id: string) {
  return { newestPk: API_KEYS_PK, newestSk: id, ...relatedIndex(merchantKeysPk(merchant), id) };
}

/** One partition for the audit: only the command line reads it. */
export const AUDIT_PK = 'AUDIT';

export function merchantAuditPk(merchant: string): `AUDIT#${string}` {
  return `${AUDIT_PK}#${merchant}`;
}

export function auditKey(id: string): Key<`AUDIT#${string}`> {
  return { pk: `${AUDIT_PK}#${id}`, sk: 'AUDIT' };
}

/** Lies apart from operators' entries: a function that may write here cannot forge the creation of a key. */
export function endpointAuditKey(id: string): Key<`ENDPOINT-AUDIT#${string}`> {
  return { pk: `ENDPOINT-${AUDIT_PK}#${id}`, sk: 'AUDIT' };
}

export function auditIndexes(merchant: string, id: string) {
  return { newestPk: AUDIT_PK, newestSk: id, ...relatedIndex(merchantAuditPk(merchant), id) };
}

export function relatedIndex(relatedPk: string, id: string) {
  return { relatedPk, relatedSk: id };
}

function pksOf<Pk extends string>(shards: number, pkOf: (shard: number) => Pk): Pk[] {
  return Array.from({ length: shards }, (_, shard) => pkOf(shard));
}

function shardOf(id: string, shards: number): number {
  return Number.parseInt(sha256Hex(id).slice(0, 8), 16) % shards;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
