import { crc32 } from 'node:zlib';
import { isWithin } from './network.ts';
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
  /** The networks from which it may be used; none at all: from everywhere. */
  readonly networks: readonly string[];
  readonly last4: string;
  readonly createdAtMs: number;
  /** The instant from which on it is refused. Key state is real time: the merchant's clock does not move it. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** The key that it was rolled to. */
  readonly successorId: string | null;
  /** The day (UTC) on which it was last used. */
  readonly lastUsedDay: string | null;
}

/** How many networks a key may name: its item, which every request reads, stays small. */
export const NETWORKS_MAX = 10;

/**
 * Why a key may not be used, or null where it may.
 * @param source the address that the gateway saw
 */
export function keyRefusal(
  { revokedAtMs, expiresAtMs, networks }: ApiKey,
  realNowMs: number,
  source: string,
): 'api_key_revoked' | 'api_key_expired' | 'ip_not_allowed' | null {
  if (revokedAtMs !== null) {
    return 'api_key_revoked';
  }
  if (expiresAtMs !== null && realNowMs >= expiresAtMs) {
    return 'api_key_expired';
  }
  return networks.length > 0 && !isWithin(networks, source) ? 'ip_not_allowed' : null;
}

/** What a key that takes another one's place is: the same grants, and the same lifetime from now on. */
export function successorOf(
  { merchant, mode, permissions, version, label, networks, createdAtMs, expiresAtMs }: ApiKey,
  realNowMs: number,
): KeyOrder {
  const lifetime = expiresAtMs === null ? null : realNowMs + expiresAtMs - createdAtMs;
  return { merchant, mode, permissions, version, label, networks, expiresAtMs: lifetime };
}

/** What is said of a key when it is made. */
export type KeyOrder = Pick<ApiKey, 'merchant' | 'mode' | 'permissions' | 'version' | 'label'> &
  Partial<Pick<ApiKey, 'networks' | 'expiresAtMs'>>;

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
