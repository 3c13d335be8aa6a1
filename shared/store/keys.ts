import {
  type ByPartition,
  LISTED_NAMES,
  type ListedName,
  type ListedPartition,
  type ListPartition,
  RESOURCES,
  type ResourceName,
  rowOf,
} from '../domain/resource.ts';
import { sha256Hex } from '../domain/secret.ts';
import { scopeOf, WORLD_ID_CHARS, type World } from '../domain/world.ts';
import type { IndexName } from './table.ts';

/*
 * Every key of the table is built here.
 *
 * | What | pk | sk |
 * |---|---|---|
 * | API key, by the hash of its secret | KEY#<hash> | KEY |
 * | Audit entry: what an operator did, never changed | AUDIT#<id> | AUDIT |
 * | World: epoch, clock offset, counters | WORLD#<world id> | WORLD |
 * | Resource or event: PAYMENT, REFUND … of `domain/resource.ts` | <scope>#<partition>#<id> | <partition> |
 * | World and id of a link, by its public code | CODE#<code> | CODE |
 * | How many forms a link got in a minute | <scope>#POSTS#<link id> | <minute> |
 * | Settlement, by provider and day: at most one of each | <scope>#SETTLED | <provider>#<day> |
 * | Unsettled balance of a day | <scope>#BALANCES | <day> |
 * | Provider event, by its event id | <scope>#PROVIDER-EVENT#<hash> | PROVIDER-EVENT |
 * | Webhook sinks, at most 20 | <scope>#SINKS | <slot> |
 * | World and slot of a sink, by its token | TOKEN#<hash> | TOKEN |
 * | Delivery log of a sink | <scope>#DELIVERIES#<sink id>#<shard> | <id> |
 * | Claim and saved answer of an Idempotency-Key | <scope>#ONCE#<hash> | ONCE |
 * | Lease: who runs the jobs of an epoch of a world | WORLD#<world id> | LEASE#<epoch> |
 * | Next run of a world whose clock was moved | <scope>#WAKE | WAKE |
 * | Purge of a world, by its Idempotency-Key | WORLD#<world id> | PURGE#<hash> |
 * | Record of the seeding of a profile | <scope>#SEED#<profile> | SEED |
 * | Jobs that failed for good | PARKED | <real time>#<job> |
 * | Move of the clock, by its Idempotency-Key | <scope>#ADVANCE#<hash> | ADVANCE |
 * | Counts of the jobs that a move ran, in several counters | <scope>#ADVANCE#<hash> | TALLY#<counter> |
 * | Job, outbox included | <scope>#JOBS#<shard> | <due>#<order>#<id> |
 *
 * | Access pattern | index | pk | sk |
 * |---|---|---|---|
 * | All of a kind, newest first; events by sequence | newest | <scope>#<partition>S#<block> | <id> or <sequence> |
 * | Payments of a reference, refunds of a payment, events of a resource | related | <scope>#<by>#<id or hash> | <id> or <sequence> |
 * | API keys of a merchant | related | KEYS#<merchant> | <id> |
 * | API keys, by id | newest | KEYS | <id> |
 * | API keys older than these two entries, by id | related | KEYS | <id> |
 * | Audit of a merchant | related | AUDIT#<merchant> | <id> |
 * | Audit of all | newest | AUDIT | <id> |
 * | Items that are in no list, for a purge to find | related | <scope>#REST#<shard> | <id> |
 * | Jobs due in real time | due | DUE#<shard> | <real due>#<scope> |
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
  KEY: 'KEY#*',
  AUDIT: 'AUDIT#*',
  WORLD: 'WORLD#*',
  ...patternsOf<ListedPartition>(LISTED_NAMES.map((name) => RESOURCES[name].partition)),
  CODE: 'CODE#*',
  POSTS: `${ANY_SCOPE}#POSTS#*`,
  SETTLED: `${ANY_SCOPE}#SETTLED`,
  BALANCES: `${ANY_SCOPE}#BALANCES`,
  'PROVIDER-EVENT': `${ANY_SCOPE}#PROVIDER-EVENT#*`,
  SINKS: `${ANY_SCOPE}#SINKS`,
  TOKEN: 'TOKEN#*',
  DELIVERIES: `${ANY_SCOPE}#DELIVERIES#*`,
  ONCE: `${ANY_SCOPE}#ONCE#*`,
  WAKE: `${ANY_SCOPE}#WAKE`,
  SEED: `${ANY_SCOPE}#SEED#*`,
  PARKED: 'PARKED',
  ADVANCE: `${ANY_SCOPE}#ADVANCE#*`,
  JOBS: `${ANY_SCOPE}#JOBS#*`,
} as const;

/** Every kind of partition of the indexes. */
export const INDEX_PARTITIONS = {
  newest: {
    ...patternsOf<ListPartition>(LISTED_NAMES.map((name) => `${RESOURCES[name].partition}S` as const)),
    KEYS: 'KEYS',
    AUDIT: 'AUDIT',
  },
  related: {
    ...patternsOf<ByPartition>(
      LISTED_NAMES.flatMap((name) =>
        Object.values(rowOf(name).by ?? {}).map(({ partition }) => partition as ByPartition),
      ),
    ),
    KEYS: 'KEYS*',
    AUDIT: 'AUDIT#*',
    REST: `${ANY_SCOPE}#REST#*`,
  },
  due: { DUE: 'DUE#*' },
} as const satisfies Record<IndexName, Readonly<Record<string, string>>>;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Names the kind of item in the type, so that a resource cannot be written without its events: see `writes.ts`. */
export interface KeyOf<Name extends ListedName> extends Key {
  readonly of?: Name;
}

type Scope = Pick<World, 'id' | 'epoch'>;

const BLOCK_SIZE = 1_000;
const JOB_SHARDS = 16;
const DUE_SHARDS = 64;
const REST_SHARDS = 16;
const DELIVERY_SHARDS = 8;
const TIME_DIGITS = 15;
const ORDER_DIGITS = 12;
const SLOT_DIGITS = 2;

export function apiKeyKey(secretHash: string): Key {
  return { pk: `KEY#${secretHash}`, sk: 'KEY' };
}

export function worldKey(worldId: string): Key {
  return { pk: `WORLD#${worldId}`, sk: 'WORLD' };
}

/** The key of a resource or an event. */
export function keyOf<Name extends ListedName>(name: Name, world: Scope, id: string): KeyOf<Name> {
  const { partition } = RESOURCES[name];
  return { pk: `${scopeOf(world)}#${partition}#${id}`, sk: partition };
}

export function linkCodeKey(code: string): Key {
  return { pk: `CODE#${code}`, sk: 'CODE' };
}

export function linkPostsKey(world: Scope, linkId: string, minute: number): Key {
  return { pk: `${scopeOf(world)}#POSTS#${linkId}`, sk: String(minute) };
}

export function onceKey(world: Scope, hash: string): Key {
  return { pk: `${scopeOf(world)}#ONCE#${hash}`, sk: 'ONCE' };
}

/** One partition for all settlements by day: a world makes only a few a day. */
export function settledPk(world: Scope): string {
  return `${scopeOf(world)}#SETTLED`;
}

export function settledKey(world: Scope, provider: string, day: string): Key {
  return { pk: settledPk(world), sk: `${provider}#${day}` };
}

export function balancesPk(world: Scope): string {
  return `${scopeOf(world)}#BALANCES`;
}

export function providerEventKey(world: Scope, eventId: string): Key {
  return { pk: `${scopeOf(world)}#PROVIDER-EVENT#${sha256Hex(eventId)}`, sk: 'PROVIDER-EVENT' };
}

export function sinksPk(world: Scope): string {
  return `${scopeOf(world)}#SINKS`;
}

export function sinkKey(world: Scope, slot: number): Key {
  return { pk: sinksPk(world), sk: digits(slot, SLOT_DIGITS) };
}

export function sinkTokenKey(token: string): Key {
  return { pk: `TOKEN#${sha256Hex(token)}`, sk: 'TOKEN' };
}

export function deliveryKey(world: Scope, sinkId: string, id: string): Key {
  return { pk: deliveriesPk(world, sinkId, shardOf(id, DELIVERY_SHARDS)), sk: id };
}

/** The partitions of a sink's delivery log, which gets every event of its merchant. */
export function deliveryPks(world: Scope, sinkId: string): string[] {
  return Array.from({ length: DELIVERY_SHARDS }, (_, shard) => deliveriesPk(world, sinkId, shard));
}

function deliveriesPk(world: Scope, sinkId: string, shard: number): string {
  return `${scopeOf(world)}#DELIVERIES#${sinkId}#${shard}`;
}

/** In the world's partition, which holds only what a merchant's writers must do one after the other. */
export function leaseKey({ id, epoch }: Scope): Key {
  return { pk: worldKey(id).pk, sk: `LEASE#${epoch}` };
}

/** In the world's partition and not in an epoch: a retried purge must find its record in the next epoch. */
export function purgeKey(worldId: string, idempotencyKey: string): Key {
  return { pk: worldKey(worldId).pk, sk: `PURGE#${sha256Hex(idempotencyKey)}` };
}

export function nextRunKey(world: Scope): Key {
  return { pk: `${scopeOf(world)}#WAKE`, sk: 'WAKE' };
}

export function seedKey(world: Scope, profile: string): Key {
  return { pk: `${scopeOf(world)}#SEED#${profile}`, sk: 'SEED' };
}

/** One partition for all jobs that failed for good: there are few, and only operators read them. */
export const PARKED_PK = 'PARKED';

export function parkedKey(realNowMs: number, jobKeyOf: Key): Key {
  return { pk: PARKED_PK, sk: `${digits(realNowMs, TIME_DIGITS)}#${jobKeyOf.pk}#${jobKeyOf.sk}` };
}

export function advanceKey(world: Scope, idempotencyKey: string): Key {
  return { pk: `${scopeOf(world)}#ADVANCE#${sha256Hex(idempotencyKey)}`, sk: 'ADVANCE' };
}

/** Counts of the jobs that a move ran. Jobs that run side by side use different counters, so they do not conflict. */
export function advanceCountsKey(world: Scope, idempotencyKey: string, counter: number): Key {
  return { pk: advanceKey(world, idempotencyKey).pk, sk: `TALLY#${counter}` };
}

/** Jobs sort by due time, then by `order`, which keeps the events of one resource in order. */
export function jobKey(world: Scope, aboutId: string, dueAtMs: number, order: number, id: string): Key {
  return {
    pk: jobPkOf(world, aboutId),
    sk: `${digits(dueAtMs, TIME_DIGITS)}#${digits(order, ORDER_DIGITS)}#${id}`,
  };
}

/** The partition of the jobs about one id. */
export function jobPkOf(world: Scope, aboutId: string): string {
  return `${scopeOf(world)}#JOBS#${shardOf(aboutId, JOB_SHARDS)}`;
}

/** The partitions over which a world's jobs are spread. */
export function jobPks(world: Scope): string[] {
  return Array.from({ length: JOB_SHARDS }, (_, shard) => `${scopeOf(world)}#JOBS#${shard}`);
}

/** The last sort key of the jobs that are due by an instant, inclusive. */
export function jobSkUntil(untilMs: number): string {
  return `${digits(untilMs, TIME_DIGITS)}#~`;
}

/** The partitions of the due index. */
export function duePks(): string[] {
  return Array.from({ length: DUE_SHARDS }, (_, shard) => `DUE#${shard}`);
}

export function dueSkUntil(realUntilMs: number): string {
  return `${digits(realUntilMs, TIME_DIGITS)}#~`;
}

export function dueIndex(world: World, aboutId: string, dueAtMs: number) {
  return {
    duePk: `DUE#${shardOf(aboutId, DUE_SHARDS)}`,
    dueSk: `${digits(dueAtMs - world.clockOffsetMs, TIME_DIGITS)}#${scopeOf(world)}`,
  };
}

/** The block of a list that a number falls into. */
export function blockOf(number: string): number {
  return Math.floor((Number(number.slice(number.indexOf('-') + 1)) - 1) / BLOCK_SIZE);
}

/** The newest block when this many numbers were given out. */
export function newestBlock(count: number): number {
  return Math.floor(Math.max(count - 1, 0) / BLOCK_SIZE);
}

/** One block of the list of all items of a kind. */
export function blockPk(name: ListedName, world: Scope, block: number): string {
  return `${scopeOf(world)}#${RESOURCES[name].partition}S#${block}`;
}

/** A resource's entry in the list of its kind. */
export function newestIndex(
  name: ResourceName,
  world: Scope,
  { number, id }: { number: string; id: string },
) {
  return { newestPk: blockPk(name, world, blockOf(number)), newestSk: id };
}

/** Events are listed, and split into blocks, by their sequence number. */
export function eventIndexes(world: Scope, sequence: number, resourceId: string) {
  const place = digits(sequence, ORDER_DIGITS);
  return {
    newestPk: blockPk('event', world, newestBlock(sequence)),
    newestSk: place,
    ...relatedIndex(byPk('event', world, 'resource_id', resourceId), place),
  };
}

/** The list of the items that share a value. @param filter its name in the resource's row */
export function byPk(name: ListedName, world: Scope, filter: string, value: string): string {
  const { partition, isText } = rowOf(name).by?.[filter] ?? {};
  return `${scopeOf(world)}#${partition}#${isText === true ? sha256Hex(value) : value}`;
}

/** Index entries through which a purge finds items that are in no list. */
export function restIndex(world: Scope, id: string) {
  return relatedIndex(`${scopeOf(world)}#REST#${shardOf(id, REST_SHARDS)}`, id);
}

export function restPks(world: Scope): string[] {
  return Array.from({ length: REST_SHARDS }, (_, shard) => `${scopeOf(world)}#REST#${shard}`);
}

/** One partition for all API keys: operators create them by hand, and only the command line lists them. */
export const API_KEYS_PK = 'KEYS';

export function merchantKeysPk(merchant: string): string {
  return `${API_KEYS_PK}#${merchant}`;
}

export function apiKeyIndexes(merchant: string, id: string) {
  return { newestPk: API_KEYS_PK, newestSk: id, ...relatedIndex(merchantKeysPk(merchant), id) };
}

/** One partition for the audit: only the command line reads it. */
export const AUDIT_PK = 'AUDIT';

export function merchantAuditPk(merchant: string): string {
  return `${AUDIT_PK}#${merchant}`;
}

export function auditKey(id: string): Key {
  return { pk: `${AUDIT_PK}#${id}`, sk: 'AUDIT' };
}

export function auditIndexes(merchant: string, id: string) {
  return { newestPk: AUDIT_PK, newestSk: id, ...relatedIndex(merchantAuditPk(merchant), id) };
}

export function relatedIndex(relatedPk: string, id: string) {
  return { relatedPk, relatedSk: id };
}

function shardOf(id: string, shards: number): number {
  return Number.parseInt(sha256Hex(id).slice(0, 8), 16) % shards;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
