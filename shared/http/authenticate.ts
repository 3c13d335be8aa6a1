import type { Operation } from '../contract/operation.ts';
import { resolveVersion } from '../contract/versions.ts';
import { type ApiKey, hashSecret, isWellFormedSecret, keyRefusal } from '../domain/api-key.ts';
import { toDay } from '../domain/clock.ts';
import { hasEnded } from '../domain/world.ts';
import { Problem, permissionDenied } from '../errors/problem.ts';
import { findKeyAndWorld, noteUse } from '../store/worlds/api-key.ts';
import { findWorld } from '../store/worlds/world.ts';
import { describeError, log } from '../telemetry/log.ts';
import { type Call, type Caller, type NoteRequester, onlyHeaderOf } from './call.ts';

/** Only one spelling, since the firewall counts the requests of a key by this header. */
const BEARER = /^Bearer (\S+)$/;
const REMEMBERED_MAX = 10_000;

/**
 * The world id of each key, by the key's hash. It never changes, so the cache cannot go stale. With it, key and world are
 * read by one call. Both are read again for every request.
 */
const worldIds = new Map<string, string>();

/** The steps of contract §2 from authentication to PG-Version. @throws Problem of the step that fails */
export async function authenticate(
  row: Operation,
  call: Call,
  noteRequester: NoteRequester,
): Promise<Caller> {
  const caller = await findCaller(call, noteRequester);
  noteRequester(caller);
  requirePermission(row, caller.key);
  requireMode(row, caller);
  const wanted = onlyHeaderOf(call, 'pg-version', 'version_invalid');
  if (wanted === undefined) {
    return caller;
  }
  const versioned = { ...caller, version: resolveVersion(wanted) };
  noteRequester(versioned);
  return versioned;
}

async function findCaller(call: Call, noteRequester: NoteRequester): Promise<Caller> {
  const secret = BEARER.exec(onlyHeaderOf(call, 'authorization', 'api_key_invalid') ?? '')?.[1];
  if (secret === undefined) {
    throw new Problem('authentication_missing');
  }
  if (!isWellFormedSecret(secret)) {
    throw new Problem('api_key_invalid');
  }
  const hash = hashSecret(secret);
  const { key, world: early } = await findKeyAndWorld(secret, worldIds.get(hash));
  if (key === null) {
    throw new Problem('api_key_invalid');
  }
  noteRequester({ key });
  const refusal = keyRefusal(key, call.startedAtMs, call.source);
  if (refusal !== null) {
    throw new Problem(refusal);
  }
  const world = early ?? (await findWorld(key.worldId));
  if (world === null) {
    throw new Error('a key has no world');
  }
  if (hasEnded(world, call.startedAtMs)) {
    throw new Problem('api_key_expired');
  }
  if (world.forkSource !== null) {
    throw new Problem('temporarily_unavailable');
  }
  remember(hash, world.id);
  return { key, world, version: key.version, noted: noteUseOf(secret, key, call) };
}

/** Records the day of the key's use, once a day, concurrently with the request's own work. Never fails the request. */
async function noteUseOf(secret: string, { lastUsedDay }: ApiKey, call: Call): Promise<void> {
  const day = toDay(call.startedAtMs);
  if (lastUsedDay === null || lastUsedDay < day) {
    await noteUse(secret, day).catch((error: unknown) =>
      log.warn("a key's use was not recorded", { request_id: call.requestId, error: describeError(error) }),
    );
  }
}

function remember(hash: string, worldId: string): void {
  if (worldIds.size >= REMEMBERED_MAX) {
    worldIds.clear();
  }
  worldIds.set(hash, worldId);
}

function requirePermission(row: Operation, { mode, permissions }: ApiKey): void {
  const { permission, testPermission, alsoRequires = [] } = row;
  if (permission === null || permission === 'any') {
    return;
  }
  const isEnough = mode === 'test' && testPermission !== undefined && permissions.includes(testPermission);
  const missing = [...(isEnough ? [] : [permission]), ...alsoRequires].filter(
    (required) => !permissions.includes(required),
  );
  if (missing.length > 0) {
    throw permissionDenied(missing);
  }
}

function requireMode({ mode }: Operation, { key, world }: Pick<Caller, 'key' | 'world'>): void {
  if (mode === 'test' && key.mode !== 'test') {
    throw new Problem('test_mode_only');
  }
  if (mode === 'provider' && key.mode === 'live' && world.provider === null) {
    throw new Problem('live_mode_unavailable');
  }
}
