import { parseArgs } from 'node:util';
import { PERMISSIONS, type Permission, PRESETS, type Preset } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION, resolveVersion } from '../../shared/contract/versions.ts';
import { type ApiKey, keyRefusal, NETWORKS_MAX } from '../../shared/domain/api-key.ts';
import { SECOND_MS, toTimestamp } from '../../shared/domain/clock.ts';
import { isNetwork } from '../../shared/domain/network.ts';
import { MODES, type Mode } from '../../shared/domain/world.ts';
import type { IssuedApiKey } from '../../shared/store/api-key.ts';
import type { AuditEntry } from '../../shared/store/audit.ts';
import { commandNamed, refuseForeign, runCommand, type Subcommand, UsageError } from '../machine/command.ts';
import { actorOf } from './actor.ts';
import { parseDurationSeconds } from './duration.ts';
import { useService } from './target.ts';

/* npm run keys: creates, lists, rolls, revokes and audits API keys, on the local service or on a deployed stack. */

/** How long a rolled key keeps working by default. */
const DEFAULT_OVERLAP = '24h';
const NO_SUCH_KEY = 'API key not found. "npm run keys -- list" shows the ids.';

const USAGE = `Usage:
  npm run keys -- create --merchant NAME (--preset ${Object.keys(PRESETS).join('|')} | --permission P)...
                         [--mode test|live] [--expires-in DURATION] [--allow-ip NETWORK]...
                         [--pg-version YYYY-MM-DD] [--label TEXT]
  npm run keys -- list [--merchant NAME]
  npm run keys -- roll KEY_ID [--overlap DURATION]
  npm run keys -- revoke KEY_ID
  npm run keys -- audit [--merchant NAME] [--limit N]

  roll creates a key with the same grants and lifetime; the old key ends after the overlap (${DEFAULT_OVERLAP}).
  audit shows, newest first, who created, rolled and revoked keys, and what keys did to webhook
  endpoints.

  Durations are 90s, 30m, 24h or 90d. A network is 203.0.113.0/24, 2001:db8::/32 or one address.
  A preset and permissions add up. Permissions are:
${PERMISSIONS.join(', ').replace(/(.{1,76})(?: |$)/g, '    $1\n')}
  --json         prints JSON
  --stack NAME   on a deployed stack instead of the local service
  --dir PATH     data folder of the local service (default .local)
`;

const MERCHANT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const LABEL_MAX_CHARS = 100;

const OPTIONS = {
  merchant: { type: 'string' },
  mode: { type: 'string' },
  preset: { type: 'string' },
  permission: { type: 'string', multiple: true },
  'pg-version': { type: 'string' },
  label: { type: 'string' },
  'expires-in': { type: 'string' },
  'allow-ip': { type: 'string', multiple: true },
  overlap: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
  stack: { type: 'string' },
  dir: { type: 'string', default: '.local' },
} as const;
const GENERAL = ['json', 'stack', 'dir'];

type Values = ReturnType<typeof readArguments>['values'];

const COMMANDS: Readonly<
  Record<string, Subcommand & { readonly run: (values: Values, id: string) => Promise<void> }>
> = {
  create: {
    options: [
      ...['merchant', 'mode', 'preset', 'permission', 'pg-version', 'label'],
      ...['expires-in', 'allow-ip'],
    ],
    run: create,
  },
  list: { options: ['merchant'], run: list },
  roll: { takes: 'KEY_ID', options: ['overlap'], run: roll },
  revoke: { takes: 'KEY_ID', run: revoke },
  audit: { options: ['merchant', 'limit'], run: audit },
};

function readArguments() {
  return parseArgs({ options: OPTIONS, allowPositionals: true });
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [name = '', ...args] = positionals;
  const command = commandNamed(COMMANDS, positionals[0]);
  refuseForeign(name, command, args, Object.keys(values), GENERAL);
  const [id = ''] = args;
  if (command.takes !== undefined && id === '') {
    throw new UsageError(`Name the key: ${name} ${command.takes}.`);
  }
  await command.run(values, id);
}

async function create(values: Values): Promise<void> {
  const nowMs = Date.now();
  const lifetimeMs = readDuration(values['expires-in'], '--expires-in');
  const order = {
    merchant: readMerchant(values.merchant),
    mode: oneOf(MODES, values.mode ?? 'test', '--mode') satisfies Mode,
    permissions: readPermissions(values.preset, values.permission),
    version: readVersion(values['pg-version'] ?? NEWEST_VERSION),
    label: readLabel(values.label),
    networks: readNetworks(values['allow-ip']),
    expiresAtMs: lifetimeMs === null ? null : nowMs + lifetimeMs,
  };
  if (lifetimeMs === 0) {
    throw new UsageError('--expires-in takes a duration greater than zero.');
  }
  const { issueApiKey } = await useService(values);
  const issued = await issueApiKey(order, await actorOf(values), nowMs);
  printIssued(values, issued);
}

async function roll(values: Values, id: string): Promise<void> {
  const overlapMs = readDuration(values.overlap ?? DEFAULT_OVERLAP, '--overlap') ?? 0;
  const { rollApiKey } = await useService(values);
  const issued = await rollApiKey(id, overlapMs, await actorOf(values), Date.now());
  if (issued === null) {
    throw new Error(NO_SUCH_KEY);
  }
  printIssued(values, issued, `The old key, ${id}, works until ${toTimestamp(issued.oldEndsAtMs)}.`);
}

function printIssued({ json }: Values, { secret, key }: IssuedApiKey, more = ''): void {
  const lines = [
    secret,
    '',
    `Store it now: it is shown only once. Its id is ${key.id}.`,
    ...grantsOf(key),
    ...(more === '' ? [] : [more]),
  ];
  print(json, { key: secret, ...describe(key) }, lines.join('\n  ').replaceAll(/ +$/gm, ''));
}

async function list(values: Values): Promise<void> {
  const { listApiKeys } = await useService(values);
  const keys = await listApiKeys(values.merchant);
  const lines = keys.map(lineOf);
  print(values.json, keys.map(describe), lines.length === 0 ? 'No keys.' : lines.join('\n'));
}

async function revoke(values: Values, id: string): Promise<void> {
  const { revokeApiKey } = await useService(values);
  const key = await revokeApiKey(id, await actorOf(values), Date.now());
  if (key === null) {
    throw new Error(NO_SUCH_KEY);
  }
  print(values.json, describe(key), `${key.id} is revoked: it stops working with the next request.`);
}

async function audit(values: Values): Promise<void> {
  const limit = readLimit(values.limit);
  await useService(values);
  const { readAudit } = await import('../../shared/store/audit.ts');
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
      `${at}  ${action.padEnd(6)}  ${subject}  ${merchant}  ${mode}  by ${actor}`,
  );
  print(values.json, data, lines.length === 0 ? 'No audit entries.' : lines.join('\n'));
  if (entries.length > limit) {
    console.error(`There are older entries: --limit ${limit * 10} shows more.`);
  }
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
    expiresAtMs === null ? 'It does not expire.' : `It expires at ${toTimestamp(expiresAtMs)}.`,
    networks.length === 0 ? 'It works from any network.' : `It works only from ${networks.join(', ')}.`,
  ];
}

function lineOf(key: ApiKey): string {
  const { id, mode, last4, merchant, label, networks, lastUsedDay, expiresAtMs } = key;
  // Networks are checked at each request.
  const isOver = keyRefusal({ ...key, networks: [] }, Date.now(), '');
  const facts = [
    ...(label === null ? [] : [`"${label}"`]),
    lastUsedDay === null ? 'never used' : `last used ${lastUsedDay}`,
    ...(networks.length === 0 ? [] : [`from ${networks.join(', ')}`]),
    ...(expiresAtMs === null || isOver !== null ? [] : [`until ${toTimestamp(expiresAtMs)}`]),
    ...(isOver === null ? [] : [isOver === 'api_key_revoked' ? 'revoked' : 'expired']),
  ];
  return [id, mode, `…${last4}`, merchant, ...facts].join('  ');
}

function print(asJson: boolean, data: unknown, text: string): void {
  console.log(asJson ? JSON.stringify(data, null, 2) : text);
}

function readMerchant(name: string | undefined): string {
  if (name === undefined || !MERCHANT_NAME.test(name)) {
    throw new Error('--merchant takes a name of 1 to 63 lower-case letters, digits and dashes.');
  }
  return name;
}

function readPermissions(preset: string | undefined, single: readonly string[] = []): Permission[] {
  const names = Object.keys(PRESETS) as Preset[];
  if (preset === undefined && single.length === 0) {
    throw new UsageError(
      `Name the permissions of the key, which have no default: --preset ${names.join('|')}, or --permission P`,
    );
  }
  const ofPreset = preset === undefined ? [] : PRESETS[oneOf(names, preset, '--preset')];
  const chosen = single.map((name) => oneOf(PERMISSIONS, name, '--permission'));
  return [...new Set([...ofPreset, ...chosen])];
}

/** In milliseconds; null if the option is missing. */
function readDuration(text: string | undefined, option: string): number | null {
  try {
    return text === undefined ? null : parseDurationSeconds(text) * SECOND_MS;
  } catch {
    throw new UsageError(`${option} takes a duration: 90s, 30m, 24h or 90d.`);
  }
}

function readNetworks(networks: readonly string[] = []): readonly string[] {
  if (!networks.every(isNetwork)) {
    throw new UsageError('--allow-ip takes a network: 203.0.113.0/24, 2001:db8::/32, or one address.');
  }
  if (networks.length > NETWORKS_MAX) {
    throw new UsageError(`--allow-ip can be given at most ${NETWORKS_MAX} times.`);
  }
  return networks;
}

function readLimit(text = '100'): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new UsageError('--limit takes a number from 1.');
  }
  return Number(text);
}

function readVersion(date: string): string {
  try {
    return resolveVersion(date);
  } catch {
    throw new Error('--pg-version takes a date: YYYY-MM-DD.');
  }
}

function readLabel(label: string | undefined): string | null {
  if (label !== undefined && label.length > LABEL_MAX_CHARS) {
    throw new Error(`--label takes at most ${LABEL_MAX_CHARS} characters.`);
  }
  return label ?? null;
}

function oneOf<const T extends string>(allowed: readonly T[], value: string, option: string): T {
  const found = allowed.find((item) => item === value);
  if (found === undefined) {
    throw new Error(`${option} takes one of: ${allowed.join(', ')}.`);
  }
  return found;
}

runCommand('npm run keys', USAGE, main);
