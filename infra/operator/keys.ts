import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import type { IssuedApiKey } from '../../shared/domain/api-key.ts';
import { type ApiKey, keyRefusal } from '../../shared/domain/api-key.ts';
import { SECOND_MS, toTimestamp } from '../../shared/domain/clock.ts';
import { isId } from '../../shared/domain/id.ts';
import { type TestWorld, worldsMadeBy } from '../../shared/domain/testkit/created-world.ts';
import type { AuditEntry } from '../../shared/store/worlds/audit.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import { bangkokTime, inBangkok } from '../terminal/lines.ts';
import type { KEYS } from '../terminal/options.ts';
import { complain } from '../terminal/output.ts';
import { print } from '../terminal/print.ts';
import { PROGRAM } from '../terminal/program-name.ts';
import { existingMerchant } from './existing-merchant.ts';
import { readActor } from './read-actor.ts';
import { useService } from './target.ts';

const MERCHANTS_AT_ONCE = 16;
const DEFAULT_OVERLAP_SECONDS = 24 * 3_600;

type GivenToKeys<Words extends keyof typeof KEYS.commands> = GivenTo<typeof KEYS, Words>;

async function create(given: GivenToKeys<'create'>): Promise<void> {
  const { merchant, mode, preset, permission = [], label = null, 'allow-ip': networks = [] } = given;
  const { 'expires-in': lifetime, 'pg-version': version = NEWEST_VERSION } = given;
  if (preset === undefined && permission.length === 0) {
    throw new UsageError(
      `Name the permissions of the key, which have no default: --preset ${Object.keys(PRESETS).join('|')}, or --permission PERMISSION.`,
    );
  }
  if (lifetime === 0) {
    throw new UsageError('--expires-in takes a duration greater than zero.');
  }
  const permissions = [...new Set([...(preset === undefined ? [] : PRESETS[preset]), ...permission])];
  const nowMs = Date.now();
  const expiresAtMs = lifetime === undefined ? null : nowMs + lifetime * SECOND_MS;
  const order = { merchant, mode, permissions, version, label, networks, expiresAtMs };
  const { issueApiKey } = await useService(given);
  printIssued(given.json, await issueApiKey(order, await readActor(given), nowMs));
}

async function roll(given: GivenToKeys<'roll'>, id: string): Promise<void> {
  const { rollApiKey } = await useService(given);
  const overlapMs = (given.overlap ?? DEFAULT_OVERLAP_SECONDS) * SECOND_MS;
  const { old, issued } = await rollApiKey(id, overlapMs, await readActor(given), Date.now());
  if (old === null) {
    throw noSuchKey(id);
  }
  if (issued === null) {
    throw new Error(
      old.successorId === null
        ? 'It does not work any more, so it cannot be rolled: create a new key.'
        : `It was rolled to ${old.successorId} already: roll or revoke that key.`,
    );
  }
  const until = inBangkok(toTimestamp(Number(old.expiresAtMs)));
  const ended = await endWorldsOf(old, Number(old.expiresAtMs));
  const worlds = ended === 0 ? '' : ` ${worldsOf(ended)} that it has created end by then, too.`;
  printIssued(given.json, issued, `The old key, ${id}, works until ${until}.${worlds}`);
}

function printIssued(json: boolean, { secret, key }: IssuedApiKey, more = ''): void {
  const lines = [
    secret,
    '',
    `Store it now: it is shown only once. Its id is ${key.id}.`,
    ...grantsOf(key),
    ...(more === '' ? [] : [more]),
  ];
  print(
    json,
    { key: secret, ...describe(key) },
    ...lines.map((line, index) => (index === 0 || line === '' ? line : `  ${line}`)),
  );
}

async function list(values: GivenToKeys<'list'>): Promise<void> {
  const { listApiKeys } = await useService(values);
  if (values.merchant !== undefined) {
    await existingMerchant(values.merchant);
  }
  const keys = await listApiKeys(values.merchant);
  const made = await readWorldsMadeBy(keys);
  const lines = keys.map((key) => lineOf(key, made(key)));
  print(
    values.json,
    keys.map((key) => ({ ...describe(key), worlds: made(key).map(describeWorld) })),
    ...(lines.length === 0 ? ['No keys.'] : lines),
  );
}

async function revoke(values: GivenToKeys<'revoke'>, id: string): Promise<void> {
  const { revokeApiKey } = await useService(values);
  const key = await revokeApiKey(id, await readActor(values), Date.now());
  if (key === null) {
    throw noSuchKey(id);
  }
  const ended = await endWorldsOf(key, Number(key.revokedAtMs));
  const worlds = `So do the test worlds that it has created, and theirs: ${ended}.`;
  print(
    values.json,
    { ...describe(key), worlds_ended: ended },
    `${key.id} is revoked: it stops working with the next request.${ended === 0 ? '' : ` ${worlds}`}`,
  );
}

/** @returns how many worlds end earlier now */
async function endWorldsOf(key: ApiKey, endsAtMs: number): Promise<number> {
  const { endWorldsOfKey } = await import('../../shared/flows/testkit/end-worlds-of-key.ts');
  return (await endWorldsOfKey(key, endsAtMs)).length;
}

function worldsOf(howMany: number): string {
  return howMany === 1 ? '1 test world' : `${howMany} test worlds`;
}

/** The worlds that keys have created and that still exist. */
async function readWorldsMadeBy(keys: readonly ApiKey[]): Promise<(key: ApiKey) => TestWorld[]> {
  const { readCreatedWorlds } = await import('../../shared/store/testkit/created-worlds.ts');
  const merchants = [...new Set(keys.map(({ merchant }) => merchant))];
  const read = await mapLimit(MERCHANTS_AT_ONCE, merchants, readCreatedWorlds);
  const worlds = read.flat();
  return ({ id }) => worldsMadeBy(worlds, id, Date.now());
}

function describeWorld({ created: { id, name, expiresAtMs } }: TestWorld) {
  return { id, name, expires_at: toTimestamp(expiresAtMs) };
}

async function audit(values: GivenToKeys<'audit'>): Promise<void> {
  const { limit } = values;
  await useService(values);
  if (values.merchant !== undefined) {
    await existingMerchant(values.merchant);
  }
  const { readAudit } = await import('../../shared/store/worlds/audit.ts');
  const entries: AuditEntry[] = [];
  for await (const page of readAudit(values.merchant)) {
    entries.push(...page);
    if (entries.length > limit) {
      break;
    }
  }
  const shown = entries.slice(0, limit);
  const data = shown.map(({ atMs, ...entry }) => ({ ...entry, at: toTimestamp(atMs) }));
  const lines = data.map(
    ({ at, action, subject, merchant, mode, actor }) =>
      `${bangkokTime(at)}  ${action.padEnd(6)}  ${subject}  ${merchant}  ${mode}  by ${actor}`,
  );
  print(values.json, data, ...(lines.length === 0 ? ['No audit entries.'] : lines));
  if (entries.length > limit) {
    complain(`There are older entries: --limit ${limit * 10} shows more.`);
  }
}

/** Repeats the id. A text that is none may be a secret. */
function noSuchKey(id: string): Error {
  const what = isId('key', id) ? `API key ${id}` : 'API key';
  return new Error(`${what} not found. "${PROGRAM} admin keys list" shows the ids.`);
}

function describe(key: ApiKey) {
  const { id, merchant, mode, permissions, version, label, last4, networks, successorId, lastUsedDay } = key;
  return {
    ...{ id, merchant, mode, permissions, version, label, last4 },
    allowed_networks: networks,
    created_at: toTimestamp(key.createdAtMs),
    expires_at: key.expiresAtMs === null ? null : toTimestamp(key.expiresAtMs),
    revoked_at: key.revokedAtMs === null ? null : toTimestamp(key.revokedAtMs),
    rolled_to: successorId,
    last_used_on: lastUsedDay,
  };
}

/** What a new key may do, printed so that its creator can check it. */
function grantsOf({ merchant, mode, permissions, networks, expiresAtMs }: ApiKey): string[] {
  return [
    `It may, in the ${mode} world of ${merchant}: ${permissions.join(', ')}.`,
    expiresAtMs === null ? 'It does not expire.' : `It expires at ${inBangkok(toTimestamp(expiresAtMs))}.`,
    networks.length === 0 ? 'It works from any network.' : `It works only from ${networks.join(', ')}.`,
  ];
}

function lineOf(key: ApiKey, worlds: readonly TestWorld[]): string {
  const { id, mode, last4, merchant, label, networks, lastUsedDay, expiresAtMs } = key;
  // Networks are checked at each request.
  const isOver = keyRefusal({ ...key, networks: [] }, Date.now(), '');
  const facts = [
    ...(label === null ? [] : [`"${label}"`]),
    lastUsedDay === null ? 'never used' : `last used ${lastUsedDay}`,
    ...(networks.length === 0 ? [] : [`from ${networks.join(', ')}`]),
    ...(expiresAtMs === null || isOver !== null ? [] : [`until ${inBangkok(toTimestamp(expiresAtMs))}`]),
    ...(isOver === null ? [] : [isOver === 'api_key_revoked' ? 'revoked' : 'expired']),
    ...worlds.map(({ created }) => `world ${created.id} "${created.name}"`),
  ];
  return [id, mode, `…${last4}`, merchant, ...facts].join('  ');
}

export const acts: Acts<typeof KEYS> = { create, list, roll, revoke, audit };
