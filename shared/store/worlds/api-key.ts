import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiKey,
  type ApiKeyInput,
  type IssuedApiKey,
  newApiKey,
  successorOf,
} from '../../domain/api-key.ts';
import { toTimestamp } from '../../domain/clock.ts';
import { MODES, type World, worldIdOf } from '../../domain/world.ts';
import { commit, type Write, writeOne } from '../table/commit.ts';
import { fieldsOf } from '../table/entity.ts';
import { getItems } from '../table/get-items.ts';
import { indexPages, queryIndex } from '../table/index-entries.ts';
import { getItem, insert, type StoredItem, update } from '../table/item.ts';
import { API_KEYS_PK, apiKeyIndexes, apiKeyKey, type Key, merchantKeysPk, worldKey } from '../table/keys.ts';
import { type AuditEntry, recordAudit } from './audit.ts';
import { findWorld, newWorldItem, type StoredWorld, toWorld } from './world.ts';

const KEYS_AT_ONCE = 500;
/** Recording the day of a key's last use may delay a request by this much at most. */
const NOTED_WITHIN_MS = 1_000;

/** The key of a secret, and the world of an id, by one call. */
export async function findKeyAndWorld(
  secret: string,
  worldId?: string,
): Promise<{ readonly key: ApiKey | null; readonly world: StoredWorld | null }> {
  const itemKeys = [apiKeyKey(secret), ...(worldId === undefined ? [] : [worldKey(worldId)])];
  const items = new Map((await getItems(itemKeys, 'read caller')).map((item) => [item.pk, item]));
  const [key, world] = itemKeys.map(({ pk }) => items.get(pk));
  return { key: key ? toApiKey(key) : null, world: world ? toWorld(world) : null };
}

export async function findApiKey(secret: string): Promise<ApiKey | null> {
  return (await findKeyAndWorld(secret)).key;
}

/**
 * Creates a key, and with a merchant's first key of a mode the world too.
 * @param actor the operator, for the audit
 * @param secret of a key that is known elsewhere; without one, a new one
 * @throws Error where the world's id belongs to another merchant
 */
export async function issueApiKey(
  order: ApiKeyInput,
  actor: string,
  realNowMs: number,
  secret?: string,
): Promise<IssuedApiKey> {
  const issued = newApiKey(order, worldIdOf(order.merchant, order.mode), realNowMs, secret);
  const record = recordOf('create', issued.key, actor, realNowMs, grantsOf(issued.key));
  if (!(await writeKey(issued, [record]))) {
    throw new Error('a new key conflicts with a stored one');
  }
  return issued;
}

/**
 * Creates a successor with the same permissions and networks. The old key keeps working for `overlapMs`.
 * @returns the old key as it is now, null where there is none; and its successor, null for a key that has ended or was
 * rolled before: it would get two
 */
export async function rollApiKey(
  id: string,
  overlapMs: number,
  actor: string,
  realNowMs: number,
): Promise<{ readonly old: ApiKey | null; readonly issued: IssuedApiKey | null }> {
  const itemKey = await findKeyItem(id);
  const old = itemKey && (await readApiKey(itemKey));
  if (!itemKey || !old) {
    return { old: null, issued: null };
  }
  const hasEnded = old.revokedAtMs !== null || (old.expiresAtMs !== null && old.expiresAtMs <= realNowMs);
  if (old.successorId !== null || hasEnded) {
    return { old, issued: null };
  }
  const issued = newApiKey(successorOf(old, realNowMs), old.worldId, realNowMs);
  const oldEndsAtMs = Math.min(old.expiresAtMs ?? Infinity, realNowMs + overlapMs);
  const ending = update(itemKey, 'SET expiresAtMs = :end, successorId = :successor', {
    condition: `${NOT_REVOKED} AND attribute_not_exists(successorId)`,
    values: { ...NULL, ':end': oldEndsAtMs, ':successor': issued.key.id },
  });
  const details = {
    successor_id: issued.key.id,
    ends_at: toTimestamp(oldEndsAtMs),
    successor: grantsOf(issued.key),
  };
  const isWritten = await writeKey(issued, [recordOf('roll', old, actor, realNowMs, details), ending]);
  return { old: await readApiKey(itemKey), issued: isWritten ? issued : null };
}

/** Revokes a key for good; null where there is none. Revoking twice keeps the first instant. */
export async function revokeApiKey(id: string, actor: string, realNowMs: number): Promise<ApiKey | null> {
  const itemKey = await findKeyItem(id);
  const key = itemKey && (await readApiKey(itemKey));
  if (!itemKey || !key || key.revokedAtMs !== null) {
    return key ?? null;
  }
  const ending = update(itemKey, 'SET revokedAtMs = :revoked', {
    condition: NOT_REVOKED,
    values: { ...NULL, ':revoked': realNowMs },
  });
  // A conflict means that the key was revoked just now.
  await commit([ending, recordOf('revoke', key, actor, realNowMs, {})]);
  return readApiKey(itemKey);
}

/**
 * Records the day on which a key was used, once for each day.
 * @throws Error where the store fails or takes longer than `NOTED_WITHIN_MS`
 */
export async function noteUse(secret: string, day: string): Promise<void> {
  // The condition fails if another request of this day was first.
  const noted = writeOne(
    update(apiKeyKey(secret), 'SET lastUsedDay = :day', {
      condition: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedDay) OR lastUsedDay < :day)',
      values: { ':day': day },
    }),
  );
  const late = sleep(NOTED_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`took longer than ${NOTED_WITHIN_MS} ms`);
  });
  await Promise.race([noted, late]);
}

/** All keys, or those of a merchant, oldest first. */
export async function listApiKeys(merchant?: string): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  const listed =
    merchant === undefined
      ? ({ index: 'newest', pk: API_KEYS_PK } as const)
      : ({ index: 'related', pk: merchantKeysPk(merchant) } as const);
  for await (const itemKeys of indexPages({ ...listed, limit: KEYS_AT_ONCE })) {
    const items = new Map((await getItems(itemKeys)).map((item) => [item.pk, item]));
    const found = itemKeys.map(({ pk }) => items.get(pk)).filter((item) => item !== undefined);
    keys.push(...found.map(toApiKey));
  }
  return keys.filter((key) => merchant === undefined || key.merchant === merchant);
}

const NOT_REVOKED = 'attribute_type(revokedAtMs, :null)';
const NULL = { ':null': 'NULL' };

/**
 * Writes a key, the world's count of keys and further changes in one transaction.
 * @returns false where a condition of the changes did not hold
 */
async function writeKey({ secret, key }: IssuedApiKey, changes: readonly Write[]): Promise<boolean> {
  const { merchant, mode, worldId } = key;
  const item = toItem(key, secret);
  // A world's id is a 64-bit hash: another merchant's name may have the same hash and must not share the world.
  const count = update(worldKey(worldId), 'ADD keyCount :one', {
    condition: 'merchant = :merchant AND #mode = :mode',
    names: { '#mode': 'mode' },
    values: { ':one': 1, ':merchant': merchant, ':mode': mode },
  });
  const isOpen = (await getItem(worldKey(worldId))) !== undefined;
  const known = isOpen ? {} : await knownAs(merchant);
  const first = insert({ ...newWorldItem({ id: worldId, merchant, mode, ...known }), keyCount: 1 });
  // If two first keys are created at the same time, the second finds the world opened and only counts.
  for (const world of isOpen ? [count] : [first, count]) {
    const outcome = await commit([world, insert(item), ...changes]);
    if (outcome.kind === 'committed' || !outcome.failed.includes(0)) {
      return outcome.kind === 'committed';
    }
  }
  throw new Error(`the id of the ${mode} world of "${merchant}" belongs to another merchant`);
}

/** The merchant's display name and logo from a world that it already has. */
async function knownAs(merchant: string): Promise<Pick<World, 'displayName' | 'logoUrl'>> {
  const worlds = await Promise.all(MODES.map((mode) => findWorld(worldIdOf(merchant, mode))));
  const world = worlds.find((each) => each?.merchant === merchant);
  const { displayName, logoUrl } = world ?? {};
  return { ...(displayName !== undefined && { displayName }), ...(logoUrl !== undefined && { logoUrl }) };
}

/** A key's permissions and limits, as the audit stores them. */
function grantsOf({ permissions, version, label, networks, expiresAtMs }: ApiKey) {
  const expiresAt = expiresAtMs === null ? null : toTimestamp(expiresAtMs);
  return { permissions, version, label, networks, expires_at: expiresAt };
}

function recordOf(
  action: AuditEntry['action'],
  { id, merchant, mode }: ApiKey,
  actor: string,
  atMs: number,
  details: AuditEntry['details'],
): Write {
  return recordAudit({ atMs, action, actor, merchant, mode, subject: id, details });
}

async function findKeyItem(id: string): Promise<Key | undefined> {
  const { entries } = await queryIndex({ index: 'newest', pk: API_KEYS_PK, where: ['=', id], limit: 1 });
  return entries[0] && { pk: entries[0].pk, sk: entries[0].sk };
}

async function readApiKey(itemKey: Key): Promise<ApiKey | null> {
  const item = await getItem(itemKey);
  return item === undefined ? null : toApiKey(item);
}

function toItem(key: ApiKey, secret: string): Key & StoredItem {
  return { ...apiKeyKey(secret), ...apiKeyIndexes(key.merchant, key.id), ...apiKeyAttributes(key) };
}

/** Empty fields are left out. */
export function apiKeyAttributes(key: ApiKey): StoredItem {
  const { networks, expiresAtMs, successorId, lastUsedDay, ...item } = key;
  return {
    ...item,
    ...(networks.length > 0 && { networks }),
    ...(expiresAtMs !== null && { expiresAtMs }),
    ...(successorId !== null && { successorId }),
    ...(lastUsedDay !== null && { lastUsedDay }),
  };
}

function toApiKey(item: StoredItem): ApiKey {
  const empty = { networks: [], expiresAtMs: null, successorId: null, lastUsedDay: null };
  return { ...empty, ...fieldsOf<ApiKey>(item) };
}
