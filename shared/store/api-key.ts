import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ApiKey, hashSecret, type KeyOrder, mintSecret, successorOf } from '../domain/api-key.ts';
import { toTimestamp } from '../domain/clock.ts';
import { newId } from '../domain/id.ts';
import { MODES, type World, worldIdOf } from '../domain/world.ts';
import { type AuditEntry, recordAudit } from './audit.ts';
import { documents, tableName } from './client.ts';
import { commit, type Write } from './commit.ts';
import { getItems } from './get-items.ts';
import { getItem, type Item, insert } from './item.ts';
import { API_KEYS_PK, apiKeyIndexes, apiKeyKey, type Key, merchantKeysPk, worldKey } from './keys.ts';
import { INDEXES } from './table.ts';
import { findWorld, newWorldItem } from './world.ts';

const KEYS_AT_ONCE = 500;
/** The day of a key's use is worth no more of a request's time than this. */
const NOTED_WITHIN_MS = 1_000;

export async function findApiKey(secretHash: string): Promise<ApiKey | null> {
  const item = await getItem(apiKeyKey(secretHash));
  return item === undefined ? null : toApiKey(item);
}

/** A key, and its secret, which is stored nowhere and can be shown only now. */
export interface Issued {
  readonly secret: string;
  readonly key: ApiKey;
}

/**
 * Makes a key and opens the merchant's world where this is its first one.
 * @param actor who does it, for the audit
 * @throws Error where the merchant's world belongs to somebody else
 */
export async function issueApiKey(order: KeyOrder, actor: string, realNowMs: number): Promise<Issued> {
  const issued = mint(order, realNowMs);
  await writeKey(issued, [recordOf('create', issued.key, actor, realNowMs, grantsOf(issued.key))]);
  return issued;
}

/**
 * Makes a key of the same grants in the place of another one, which goes on working for a while.
 * @returns null where there is no such key
 * @throws Error for a key that is ended, or was rolled already: then there would be two successors
 */
export async function rollApiKey(
  id: string,
  overlapMs: number,
  actor: string,
  realNowMs: number,
): Promise<(Issued & { readonly oldEndsAtMs: number }) | null> {
  const place = await findPlace(id);
  const old = place && (await readApiKey(place));
  if (!place || !old) {
    return null;
  }
  if (old.successorId !== null) {
    throw new Error(`It was rolled to ${old.successorId} already: roll that one, or revoke it.`);
  }
  if (old.revokedAtMs !== null || (old.expiresAtMs !== null && old.expiresAtMs <= realNowMs)) {
    throw new Error('It does not work any more, so nothing can take its place: create a key.');
  }
  const issued = mint(successorOf(old, realNowMs), realNowMs);
  const oldEndsAtMs = Math.min(old.expiresAtMs ?? Infinity, realNowMs + overlapMs);
  const ending: Write = {
    update: {
      key: place,
      expression: 'SET expiresAtMs = :end, successorId = :successor',
      condition: `${NOT_REVOKED} AND attribute_not_exists(successorId)`,
      values: { ...NULL, ':end': oldEndsAtMs, ':successor': issued.key.id },
    },
  };
  const details = {
    successor_id: issued.key.id,
    ends_at: toTimestamp(oldEndsAtMs),
    successor: grantsOf(issued.key),
  };
  await writeKey(issued, [recordOf('roll', old, actor, realNowMs, details), ending]);
  return { ...issued, oldEndsAtMs };
}

/** Ends a key for good; null where there is none. Revoking twice keeps the first instant. */
export async function revokeApiKey(id: string, actor: string, realNowMs: number): Promise<ApiKey | null> {
  const place = await findPlace(id);
  const key = place && (await readApiKey(place));
  if (!place || !key || key.revokedAtMs !== null) {
    return key ?? null;
  }
  const ending: Write = {
    update: {
      key: place,
      expression: 'SET revokedAtMs = :revoked',
      condition: NOT_REVOKED,
      values: { ...NULL, ':revoked': realNowMs },
    },
  };
  // Where this does not hold, somebody else has just done it.
  await commit([ending, recordOf('revoke', key, actor, realNowMs, {})]);
  return readApiKey(place);
}

/**
 * Notes the day on which a key was used, where it is not noted yet.
 * @throws Error where the store does not take it, or not in time
 */
export async function noteUse(secretHash: string, day: string): Promise<void> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: apiKeyKey(secretHash),
    UpdateExpression: 'SET lastUsedDay = :day',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedDay) OR lastUsedDay < :day)',
    ExpressionAttributeValues: { ':day': day },
  });
  await documents
    .send(command, { abortSignal: AbortSignal.timeout(NOTED_WITHIN_MS) })
    .catch((error: Error) => {
      // Another request of this day was first.
      if (error.name !== 'ConditionalCheckFailedException') {
        throw error;
      }
    });
}

/** All keys, or those of a merchant, oldest first. */
export async function listApiKeys(merchant?: string): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  const newer =
    merchant === undefined
      ? findPlaces('newest', API_KEYS_PK)
      : findPlaces('related', merchantKeysPk(merchant));
  for (const pages of [findPlaces('related', API_KEYS_PK), newer]) {
    for await (const places of pages) {
      const items = await getItems(places);
      const found = places.map(({ pk }) => items.get(pk)).filter((item) => item !== undefined);
      keys.push(...found.map(toApiKey));
    }
  }
  return keys.filter((key) => merchant === undefined || key.merchant === merchant);
}

const NOT_REVOKED = 'attribute_type(revokedAtMs, :null)';
const NULL = { ':null': 'NULL' };

function mint(order: KeyOrder, realNowMs: number): Issued {
  const secret = mintSecret(order.mode);
  const key: ApiKey = {
    networks: [],
    expiresAtMs: null,
    ...order,
    id: newId('key', realNowMs),
    worldId: worldIdOf(order.merchant, order.mode),
    last4: secret.slice(-4),
    createdAtMs: realNowMs,
    revokedAtMs: null,
    successorId: null,
    lastUsedDay: null,
  };
  return { secret, key };
}

/** Writes a key, its count in its merchant's world, and what else belongs to it, or nothing of all that. */
async function writeKey({ secret, key }: Issued, changes: readonly Write[]): Promise<void> {
  const { merchant, mode, worldId } = key;
  const item = toItem(key, hashSecret(secret));
  // A world's id is a hash of 64 bits: another name could come to the same one, and must not get its keys.
  const count: Write = {
    update: {
      key: worldKey(worldId),
      expression: 'ADD keyCount :one',
      condition: 'merchant = :merchant AND #mode = :mode',
      names: { '#mode': 'mode' },
      values: { ':one': 1, ':merchant': merchant, ':mode': mode },
    },
  };
  const isOpen = (await getItem(worldKey(worldId))) !== undefined;
  const known = isOpen ? {} : await knownAs(merchant);
  const first = insert({ ...newWorldItem({ id: worldId, merchant, mode, ...known }), keyCount: 1 });
  // Of two first keys at once, the other one has opened the world.
  for (const world of isOpen ? [count] : [first, count]) {
    const outcome = await commit([world, insert(item), ...changes]);
    if (outcome.kind === 'committed') {
      return;
    }
    if (!outcome.which.includes(0)) {
      throw new Error('Somebody else has changed this key just now: nothing was done. Look at it again.');
    }
  }
  throw new Error(
    `No key can be made for "${merchant}": the ${mode} world that this name comes to belongs to another merchant. Choose another name.`,
  );
}

/** The name under which payers know a merchant already, in a world that was opened before. */
async function knownAs(merchant: string): Promise<Pick<World, 'displayName'>> {
  const worlds = await Promise.all(MODES.map((mode) => findWorld(worldIdOf(merchant, mode))));
  const world = worlds.find((each) => each?.merchant === merchant && each.displayName !== undefined);
  return world?.displayName === undefined ? {} : { displayName: world.displayName };
}

/** What a key may do, as the audit keeps it. */
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

async function findPlace(id: string): Promise<Key | undefined> {
  for (const index of ['newest', 'related'] as const) {
    const { value: [place] = [] } = await findPlaces(index, API_KEYS_PK, id).next();
    if (place !== undefined) {
      return place;
    }
  }
  return undefined;
}

/** Where keys are, a page at a time: a table may hold very many. */
async function* findPlaces(
  index: 'newest' | 'related',
  pk: string,
  id?: string,
): AsyncGenerator<Key[], undefined> {
  const { partitionKey, sortKey } = INDEXES[index];
  let from: Item | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: index,
        KeyConditionExpression: id === undefined ? '#pk = :pk' : '#pk = :pk AND #sk = :id',
        ExpressionAttributeNames: { '#pk': partitionKey, ...(id !== undefined && { '#sk': sortKey }) },
        ExpressionAttributeValues: { ':pk': pk, ...(id !== undefined && { ':id': id }) },
        Limit: KEYS_AT_ONCE,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    yield (answer.Items ?? []).map((entry) => ({ pk: String(entry.pk), sk: String(entry.sk) }));
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
}

async function readApiKey(place: Key): Promise<ApiKey | null> {
  const item = await getItem(place);
  return item === undefined ? null : toApiKey(item);
}

/** What a key has not got is left out: so it was before there were ends and networks, too. */
function toItem(key: ApiKey, secretHash: string): Key & Item {
  const { networks, expiresAtMs, successorId, lastUsedDay, ...item } = key;
  return {
    ...apiKeyKey(secretHash),
    ...apiKeyIndexes(key.merchant, key.id),
    ...item,
    ...(networks.length > 0 && { networks }),
    ...(expiresAtMs !== null && { expiresAtMs }),
    ...(successorId !== null && { successorId }),
    ...(lastUsedDay !== null && { lastUsedDay }),
  };
}

function toApiKey(item: Item): ApiKey {
  const key = item as unknown as ApiKey;
  const { id, merchant, mode, worldId, permissions, version, label, last4, createdAtMs, revokedAtMs } = key;
  const known = { id, merchant, mode, worldId, permissions, version, label, last4, createdAtMs, revokedAtMs };
  const { networks = [], expiresAtMs = null, successorId = null, lastUsedDay = null } = key;
  return { ...known, networks, expiresAtMs, successorId, lastUsedDay };
}
