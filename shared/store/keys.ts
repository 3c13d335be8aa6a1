import { sha256Hex } from '../domain/secret.ts';
import { scopeOf, type World } from '../domain/world.ts';

/*
 * Every key of the table is built here.
 *
 * | What | pk | sk |
 * |---|---|---|
 * | API key, by the hash of its secret | KEY#<hash> | KEY |
 * | World: epoch, clock offset, counters | WORLD#<world> | WORLD |
 * | Payment | <scope>#PAYMENT#<id> | PAYMENT |
 * | Refund | <scope>#REFUND#<id> | REFUND |
 * | Payment link | <scope>#LINK#<id> | LINK |
 * | Place of a link, by its public code | CODE#<code> | CODE |
 * | Claim and saved answer of an Idempotency-Key | <scope>#ONCE#<hash> | ONCE |
 * | Job, outbox included | <scope>#JOBS#<shard> | <due>#<version>#<id> |
 *
 * | Access pattern | index | pk | sk |
 * |---|---|---|---|
 * | Newest payments, refunds, links | newest | <scope>#PAYMENTS#<block> … | <id> |
 * | Payments of a reference | related | <scope>#REFERENCE#<hash> | <id> |
 * | Refunds of a payment | related | <scope>#REFUNDED#<payment id> | <id> |
 * | API keys, by id | related | KEYS | <id> |
 * | Jobs due in real time | due | DUE#<shard> | <real due>#<scope> |
 *
 * <scope> is `<world id>.<epoch>`: the tenant is part of every key that belongs to one, so that an id of another
 * tenant, or of before a purge, is simply not there. Lists are cut into blocks of BLOCK_SIZE numbers, so that no
 * partition grows with the merchant; jobs are spread over shards for the same reason.
 */

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

type Scope = Pick<World, 'id' | 'epoch'>;

const BLOCK_SIZE = 1_000;
const JOB_SHARDS = 32;
const DUE_SHARDS = 64;
const TIME_DIGITS = 15;
const VERSION_DIGITS = 6;

export function apiKeyKey(secretHash: string): Key {
  return { pk: `KEY#${secretHash}`, sk: 'KEY' };
}

export function worldKey(worldId: string): Key {
  return { pk: `WORLD#${worldId}`, sk: 'WORLD' };
}

export function paymentKey(world: Scope, id: string): Key {
  return { pk: `${scopeOf(world)}#PAYMENT#${id}`, sk: 'PAYMENT' };
}

export function refundKey(world: Scope, id: string): Key {
  return { pk: `${scopeOf(world)}#REFUND#${id}`, sk: 'REFUND' };
}

export function linkKey(world: Scope, id: string): Key {
  return { pk: `${scopeOf(world)}#LINK#${id}`, sk: 'LINK' };
}

export function linkCodeKey(code: string): Key {
  return { pk: `CODE#${code}`, sk: 'CODE' };
}

export function onceKey(world: Scope, hash: string): Key {
  return { pk: `${scopeOf(world)}#ONCE#${hash}`, sk: 'ONCE' };
}

/** Jobs sort by due time, then by the version of what they are about, so that one resource's events keep their order. */
export function jobKey(world: Scope, aboutId: string, dueAtMs: number, version: number, id: string): Key {
  return {
    pk: `${scopeOf(world)}#JOBS#${shardOf(aboutId, JOB_SHARDS)}`,
    sk: `${digits(dueAtMs, TIME_DIGITS)}#${digits(version, VERSION_DIGITS)}#${id}`,
  };
}

export function dueIndex(world: World, aboutId: string, dueAtMs: number) {
  return {
    duePk: `DUE#${shardOf(aboutId, DUE_SHARDS)}`,
    dueSk: `${digits(dueAtMs - world.clockOffsetMs, TIME_DIGITS)}#${scopeOf(world)}`,
  };
}

export type ListKind = 'PAYMENTS' | 'REFUNDS' | 'LINKS';

/** The block that a number falls into. */
export function blockOf(number: string): number {
  return Math.floor((Number(number.slice(number.indexOf('-') + 1)) - 1) / BLOCK_SIZE);
}

/** The newest block after so many numbers were given out. */
export function newestBlock(count: number): number {
  return Math.floor(Math.max(count - 1, 0) / BLOCK_SIZE);
}

export function blockPk(world: Scope, kind: ListKind, block: number): string {
  return `${scopeOf(world)}#${kind}#${block}`;
}

export function newestIndex(world: Scope, kind: ListKind, number: string, id: string) {
  return { newestPk: blockPk(world, kind, blockOf(number)), newestSk: id };
}

export function referencePk(world: Scope, reference: string): string {
  return `${scopeOf(world)}#REFERENCE#${sha256Hex(reference)}`;
}

export function refundedPk(world: Scope, paymentId: string): string {
  return `${scopeOf(world)}#REFUNDED#${paymentId}`;
}

/** One partition for all API keys: they are written by hand, and read by the command line alone. */
export const API_KEYS_PK = 'KEYS';

export function relatedIndex(relatedPk: string, id: string) {
  return { relatedPk, relatedSk: id };
}

function shardOf(id: string, shards: number): number {
  return Number.parseInt(sha256Hex(id).slice(0, 8), 16) % shards;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
