import { crc32 } from 'node:zlib';
import { randomBase62, sha256Hex, toBase62 } from './secret.ts';
import type { Mode } from './world.ts';

const SECRET_CHARS = 32;
const CHECKSUM_CHARS = 6;
const FORM = new RegExp(`^pg_(test|live)_[0-9A-Za-z]{${SECRET_CHARS + CHECKSUM_CHARS}}$`);

export interface ApiKey {
  readonly id: string;
  readonly merchant: string;
  readonly mode: Mode;
  readonly worldId: string;
  readonly permissions: readonly string[];
  /** The API version of requests that name none (contract §3). */
  readonly version: string;
  readonly label: string | null;
  readonly last4: string;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

/**
 * A new secret: prefix, 32 random base62 characters (190 bits) and 6 of checksum (contract §1).
 * It is shown once; only its hash is kept.
 */
export function mintSecret(mode: Mode): string {
  const stem = `pg_${mode}_${randomBase62(SECRET_CHARS)}`;
  return stem + checksum(stem);
}

/** Whether a text can be a key at all: a mistyped one is refused without a read. */
export function isWellFormedSecret(secret: string): boolean {
  return FORM.test(secret) && checksum(secret.slice(0, -CHECKSUM_CHARS)) === secret.slice(-CHECKSUM_CHARS);
}

/** What is stored instead of the secret. 190 random bits need no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return sha256Hex(secret);
}

/** CRC-32 catches every single mistyped or swapped character; 62^6 is just above 2^32. */
function checksum(stem: string): string {
  return toBase62(crc32(stem), CHECKSUM_CHARS);
}
