import { createHash } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

export type IdPrefix =
  | 'pay'
  | 'ref'
  | 'lnk'
  | 'pot'
  | 'stl'
  | 'evt'
  | 'att'
  | 'snk'
  | 'whe'
  | 'act'
  | 'pev'
  | 'dlv'
  | 'job'
  | 'key'
  | 'aud'
  | 'req'
  | 'wld';

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/**
 * A new id: prefix and UUIDv7 as 26 Crockford base32 characters (contract §13, TypeID).
 * Ids sort by `atMs`: the merchant's clock for resources, real time for requests.
 * @param order sorts ids of the same millisecond, and can be read from the id; below 2^32. Without it, it is random
 */
export function newId<P extends IdPrefix>(prefix: P, atMs: number, order?: number): string {
  return TypeID.fromUUID(prefix, v7({ msecs: atMs, ...(order !== undefined && { seq: order }) })).toString();
}

/**
 * An id that is the same each time it is derived: like `newId`, but its random bits are a hash of the text. It can be
 * computed from the text, which is fine, since ids are not secrets.
 */
export function derivedId<P extends IdPrefix>(prefix: P, atMs: number, text: string, order?: number): string {
  const random = createHash('sha256').update(text).digest();
  const seq = order !== undefined && { seq: order };
  return TypeID.fromUUID(prefix, v7({ msecs: atMs, random, ...seq })).toString();
}

/** Sorts before every id with this prefix that was made at an instant, or later. */
export function firstIdAt(prefix: IdPrefix, atMs: number): string {
  return TypeID.fromUUID(prefix, v7({ msecs: atMs, random: new Uint8Array(16), seq: 0 })).toString();
}

/** The instant and the `order` that an id was made with. */
export function partsOf(id: string): { readonly atMs: number; readonly order: number } {
  const bits = BigInt(`0x${hexOf(id)}`);
  // RFC 9562, UUIDv7: 48 bits of time, 4 version, 12 random, 2 variant, 62 random; the first 32 random are `order`.
  const [high, low] = [Number((bits >> 64n) & 0xfffn), Number((bits >> 42n) & 0xfffffn)];
  return { atMs: Number(bits >> 80n), order: high * 2 ** 20 + low };
}

/** The 128 bits of an id, as 32 hexadecimal digits. */
export function hexOf(id: string): string {
  return TypeID.fromString(id).toUUID().replaceAll('-', '');
}

/** Whether a text has the form of an id with this prefix. Other texts cannot exist as ids and are not looked up. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/** Whether a text has the form of an id with any prefix: a caller may send something else instead. */
export function isAnyId(text: string): boolean {
  return /^[a-z]{3}_/.test(text) && SUFFIX.test(text.slice(4));
}
