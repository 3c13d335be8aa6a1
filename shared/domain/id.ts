import { createHash } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';
import { type ListedPrefix, RESOURCES, type ResourceName } from './resource.ts';

export type IdPrefix = ListedPrefix | 'att' | 'snk' | 'act' | 'pev' | 'dlv' | 'job' | 'key' | 'aud' | 'req';

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/**
 * A new id: prefix and UUIDv7 as 26 Crockford base32 characters (contract §13, TypeID).
 * Ids sort by `atMs`: the merchant's clock for resources, real time for requests.
 * @param order sorts ids of the same millisecond; without it their order is random
 */
export function newId<P extends IdPrefix>(prefix: P, atMs: number, order?: number): string {
  return TypeID.fromUUID(prefix, v7({ msecs: atMs, ...(order !== undefined && { seq: order }) })).toString();
}

/**
 * An id that is the same each time it is derived: like `newId`, but its random bits are a hash of the text. Whoever
 * knows the text can compute it, which is fine, for ids are not secrets.
 */
export function derivedId<P extends IdPrefix>(prefix: P, atMs: number, text: string): string {
  const random = createHash('sha256').update(text).digest();
  return TypeID.fromUUID(prefix, v7({ msecs: atMs, random })).toString();
}

/** Whether a text has the form of an id with this prefix. Other texts cannot exist as ids and are not looked up. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/** Whether a text has the form of an id with any prefix: a caller may send something else in its place. */
export function isAnyId(text: string): boolean {
  return /^[a-z]{3}_/.test(text) && SUFFIX.test(text.slice(4));
}

/** The number that people read out to each other: `P-000001`, with more than six digits after 999,999. */
export function formatNumber(name: ResourceName, ordinal: number): string {
  return `${RESOURCES[name].letter}-${String(ordinal).padStart(6, '0')}`;
}
