import { parseArgs } from 'node:util';
import { PERMISSIONS, type Permission, PRESETS, type Preset } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION, resolveVersion } from '../../shared/contract/versions.ts';
import type { ApiKey } from '../../shared/domain/api-key.ts';
import { toTimestamp } from '../../shared/domain/clock.ts';
import { MODES, type Mode } from '../../shared/domain/world.ts';
import { refuseForeign, runCommand, type Subcommand, UsageError, unknownCommand } from './command.ts';
import { useService } from './target.ts';

/* npm run keys: makes, lists and revokes API keys, on the local service or on a deployed stack. */

const USAGE = `Usage:
  npm run keys -- create --merchant NAME (--preset ${Object.keys(PRESETS).join('|')} | --permission P)...
                         [--mode test|live] [--pg-version YYYY-MM-DD] [--label TEXT]
  npm run keys -- list [--merchant NAME]
  npm run keys -- revoke KEY_ID

  A preset and permissions add up. Permissions are:
${PERMISSIONS.join(', ').replace(/(.{1,76})(?: |$)/g, '    $1\n')}
  --json         prints JSON
  --stack NAME   on a deployed stack instead of the local service
  --dir PATH     where the local service keeps its data (default .local)
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
  json: { type: 'boolean', default: false },
  stack: { type: 'string' },
  dir: { type: 'string', default: '.local' },
} as const;
const GENERAL = ['json', 'stack', 'dir'];

type Values = ReturnType<typeof readArguments>['values'];

const COMMANDS: Readonly<
  Record<string, Subcommand & { readonly run: (values: Values, id: string | undefined) => Promise<void> }>
> = {
  create: { options: ['merchant', 'mode', 'preset', 'permission', 'pg-version', 'label'], run: create },
  list: { options: ['merchant'], run: list },
  revoke: { takes: 'KEY_ID', run: revoke },
};

function readArguments() {
  return parseArgs({ options: OPTIONS, allowPositionals: true });
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [name = '', ...args] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw unknownCommand(positionals[0], Object.keys(COMMANDS));
  }
  refuseForeign(name, command, args, Object.keys(values), GENERAL);
  await command.run(values, args[0]);
}

async function create(values: Values): Promise<void> {
  const order = {
    merchant: readMerchant(values.merchant),
    mode: oneOf(MODES, values.mode ?? 'test', '--mode') satisfies Mode,
    permissions: readPermissions(values.preset, values.permission),
    version: readVersion(values['pg-version'] ?? NEWEST_VERSION),
    label: readLabel(values.label),
  };
  const { issueApiKey } = await useService(values);
  const { secret, key } = await issueApiKey(order, Date.now());
  const text = `${secret}\n\n  Keep it now: it is shown this once. Its id is ${key.id}.\n${grantsOf(key)}`;
  print(values.json, { key: secret, ...describe(key) }, text);
}

async function list(values: Values): Promise<void> {
  const { listApiKeys } = await useService(values);
  const keys = (await listApiKeys(values.merchant)).map(describe);
  const lines = keys.map(
    ({ id, merchant, mode, last4, label, revoked_at }) =>
      `${id}  ${mode}  …${last4}  ${merchant}${label === null ? '' : `  "${label}"`}${revoked_at === null ? '' : '  revoked'}`,
  );
  print(values.json, keys, lines.length === 0 ? 'No keys.' : lines.join('\n'));
}

async function revoke(values: Values, id: string | undefined): Promise<void> {
  if (id === undefined) {
    throw new UsageError('Name the key that is to be revoked: revoke KEY_ID.');
  }
  const { revokeApiKey } = await useService(values);
  const key = await revokeApiKey(id, Date.now());
  if (key === null) {
    throw new Error('There is no such key. "npm run keys -- list" shows the ids.');
  }
  print(values.json, describe(key), `${key.id} is revoked: it stops working with the next request.`);
}

function describe(key: ApiKey) {
  const { id, merchant, mode, permissions, version, label, last4 } = key;
  const revokedAt = key.revokedAtMs === null ? null : toTimestamp(key.revokedAtMs);
  const dates = { created_at: toTimestamp(key.createdAtMs), revoked_at: revokedAt };
  return { id, merchant, mode, permissions, version, label, last4, ...dates };
}

/** What a new key may do, for whoever has made it to see that it is no more than was meant. */
function grantsOf({ merchant, mode, permissions }: ApiKey): string {
  return `  It may, in the ${mode} world of ${merchant}: ${permissions.join(', ')}.`;
}

function print(asJson: boolean, data: unknown, text: string): void {
  console.log(asJson ? JSON.stringify(data, null, 2) : text);
}

function readMerchant(name: string | undefined): string {
  if (name === undefined || !MERCHANT_NAME.test(name)) {
    throw new Error('--merchant takes a name of 1 to 63 small letters, digits and dashes.');
  }
  return name;
}

function readPermissions(preset: string | undefined, single: readonly string[] = []): Permission[] {
  const names = Object.keys(PRESETS) as Preset[];
  if (preset === undefined && single.length === 0) {
    throw new UsageError(
      `Say what the key may do, for nothing is the default: --preset ${names.join('|')}, or --permission P`,
    );
  }
  const ofPreset = preset === undefined ? [] : PRESETS[oneOf(names, preset, '--preset')];
  const chosen = single.map((name) => oneOf(PERMISSIONS, name, '--permission'));
  return [...new Set([...ofPreset, ...chosen])];
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
