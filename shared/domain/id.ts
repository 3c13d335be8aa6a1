import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

export type IdPrefix = 'pay' | 'att' | 'ref' | 'lnk' | 'evt' | 'job' | 'key' | 'req';

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/**
 * A new id: prefix and UUIDv7 as 26 Crockford base32 characters (contract §13, TypeID).
 * Ids sort by the instant that is handed in, which is the merchant's clock for resources and real time for requests.
 */
export function newId<P extends IdPrefix>(prefix: P, atMs: number): string {
  return TypeID.fromUUID(prefix, v7({ msecs: atMs })).toString();
}

/** Whether a text has the form of an id of this kind: what has not cannot exist, and is not looked up. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/** The number that people read out to each other: `P-000001`. It grows wider after a million. */
export function formatNumber(letter: 'P' | 'R' | 'L', ordinal: number): string {
  return `${letter}-${String(ordinal).padStart(6, '0')}`;
}
