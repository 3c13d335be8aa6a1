import { crc32 } from 'node:zlib';
import { newId } from './id.ts';
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
  /** The API version of requests without a PG-Version header (contract §3). */
  readonly version: string;
  readonly label: string | null;
  /** The networks from which the key may be used; an empty list allows every network. */
  readonly networks: readonly string[];
  readonly last4: string;
  readonly createdAtMs: number;
  /** The key is refused from this instant on. Real time, as all key state: the merchant's clock does not move it. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** The key that replaced this one when it was rolled. */
  readonly successorId: string | null;
  /** The day (UTC) on which it was last used. */
  readonly lastUsedDay: string | null;
}

/** The most networks that a key may have: every request reads the key's item, so it must stay small. */
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

/** The input of a key that replaces another one: same permissions and networks, and the same lifetime from now on. */
export function successorOf(
  { merchant, mode, permissions, version, label, networks, createdAtMs, expiresAtMs }: ApiKey,
  realNowMs: number,
): ApiKeyInput {
  const lifetime = expiresAtMs === null ? null : realNowMs + expiresAtMs - createdAtMs;
  return { merchant, mode, permissions, version, label, networks, expiresAtMs: lifetime };
}

/** What an operator chooses when creating a key. */
export type ApiKeyInput = Pick<ApiKey, 'merchant' | 'mode' | 'permissions' | 'version' | 'label'> &
  Partial<Pick<ApiKey, 'networks' | 'expiresAtMs'>>;

/** A new key and its secret, which is not stored and can be shown only now. */
export interface IssuedApiKey {
  readonly secret: string;
  readonly key: ApiKey;
}

/** A new key of a world. */
export function newApiKey(
  input: ApiKeyInput,
  worldId: string,
  realNowMs: number,
  secret = mintSecret(input.mode),
): IssuedApiKey {
  const key: ApiKey = {
    networks: [],
    expiresAtMs: null,
    ...input,
    id: newId('key', realNowMs),
    worldId,
    last4: secret.slice(-4),
    createdAtMs: realNowMs,
    revokedAtMs: null,
    successorId: null,
    lastUsedDay: null,
  };
  return { secret, key };
}

/**
 * A new secret: prefix, 32 random base62 characters (190 bits) and 6 of checksum (contract §1).
 * The secret is shown once; only its hash is stored.
 * @internal
 */
export function mintSecret(mode: Mode): string {
  const stem = `pg_${mode}_${randomBase62(SECRET_CHARS)}`;
  return stem + checksum(stem);
}

/** The mode of a key, by the prefix of its secret. */
export function modeOfSecret(secret: string): Mode {
  return secret.startsWith('pg_live_') ? 'live' : 'test';
}

/** Whether a text can be a key at all: a mistyped key is refused without a read of the store. */
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
