import { createHash } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';
import { type ListedPrefix, RESOURCES, type ResourceName } from './resource.ts';

export type IdPrefix = ListedPrefix | 'att' | 'snk' | 'act' | 'pev' | 'dlv' | 'job' | 'key' | 'aud' | 'req';

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/**
 * A new id: prefix and UUIDv7 as 26 Crockford base32 characters (contract §13, TypeID).
 * Ids sort by the instant that is handed in, which is the merchant's clock for resources and real time for requests.
 * @param order sorts ids of one millisecond; without it they come in any order
 */
export function newId<P extends IdPrefix>(prefix: P, atMs: number, order?: number): string {
  return TypeID.fromUUID(prefix, v7({ msecs: atMs, ...(order !== undefined && { seq: order }) })).toString();
}

/**
 * The id of something that must come out the same when it is made again: as `newId`, but the random bits are a hash of
 * the text. It can be guessed by who knows the text, as an id may be.
 */
export function derivedId<P extends IdPrefix>(prefix: P, atMs: number, text: string): string {
  const random = createHash('sha256').update(text).digest();
  return TypeID.fromUUID(prefix, v7({ msecs: atMs, random })).toString();
}

/** Whether a text has the form of an id of this kind: what has not cannot exist, and is not looked up. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/** Whether a text has the form of an id of any kind: what a caller sends in the place of one may be something else. */
export function isAnyId(text: string): boolean {
  return /^[a-z]{3}_/.test(text) && SUFFIX.test(text.slice(4));
}

/** The number that people read out to each other: `P-000001`. It grows wider after a million. */
export function formatNumber(name: ResourceName, ordinal: number): string {
  return `${RESOURCES[name].letter}-${String(ordinal).padStart(6, '0')}`;
}
