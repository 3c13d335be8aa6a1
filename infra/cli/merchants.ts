import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { personName } from '../../shared/contract/fields.ts';
import type { Merchant } from '../../shared/store/merchant.ts';
import { commandNamed, refuseForeign, runCommand, type Subcommand, UsageError } from '../machine/command.ts';
import { actorOf } from './actor.ts';
import { useService } from './target.ts';

/* npm run merchants: sets the name that payers see for a merchant, on the local service or on a deployed stack. */

const USAGE = `Usage:
  npm run merchants -- set --merchant acme --name "Acme Co., Ltd."
  npm run merchants -- clear --merchant acme
  npm run merchants -- show --merchant acme
  npm run merchants -- list

  Payers' pages show this name, in test and in live mode. Without one, they show the merchant's own name.
  "npm run keys -- audit" shows who set it.

  --json         prints JSON
  --stack NAME   on a deployed stack instead of the local service
  --dir PATH     data folder of the local service (default .local)
`;

const OPTIONS = {
  merchant: { type: 'string' },
  name: { type: 'string' },
  json: { type: 'boolean', default: false },
  stack: { type: 'string' },
  dir: { type: 'string', default: '.local' },
} as const;
const GENERAL = ['json', 'stack', 'dir'];
const NAME_MAX_CHARS = 80;

type Values = ReturnType<typeof readArguments>['values'];

const COMMANDS: Readonly<Record<string, Subcommand & { readonly run: (values: Values) => Promise<void> }>> = {
  set: { options: ['merchant', 'name'], run: (values) => change(values, readName(values.name)) },
  clear: { options: ['merchant'], run: (values) => change(values, null) },
  show: { options: ['merchant'], run: show },
  list: { run: list },
};

function readArguments() {
  return parseArgs({ options: OPTIONS, allowPositionals: true });
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [name = '', ...args] = positionals;
  const command = commandNamed(COMMANDS, positionals[0]);
  refuseForeign(name, command, args, Object.keys(values), GENERAL);
  await command.run(values);
}

async function change(values: Values, displayName: string | null): Promise<void> {
  const { setDisplayName } = await useMerchants(values);
  const merchant = await readMerchant(values);
  await setDisplayName(merchant, displayName, await actorOf(values), Date.now());
  print(values, { ...merchant, displayName });
}

async function show(values: Values): Promise<void> {
  await useMerchants(values);
  print(values, await readMerchant(values));
}

async function list(values: Values): Promise<void> {
  const { listMerchants } = await useMerchants(values);
  const merchants = await listMerchants();
  const lines = merchants.map(toLine);
  console.log(
    values.json
      ? JSON.stringify(merchants.map(describe), null, 2)
      : lines.length === 0
        ? 'No merchants: the first key of a merchant creates it.'
        : lines.join('\n'),
  );
}

/** The store of the service that the command works on. */
async function useMerchants(values: Values) {
  await useService(values);
  return import('../../shared/store/merchant.ts');
}

async function readMerchant({ merchant: name }: Values): Promise<Merchant> {
  if (name === undefined) {
    throw new UsageError('Name the merchant: --merchant NAME.');
  }
  const { findMerchant } = await import('../../shared/store/merchant.ts');
  const merchant = await findMerchant(name);
  if (merchant === null) {
    throw new Error('Merchant not found. "npm run merchants -- list" shows the names.');
  }
  return merchant;
}

/** The name is on every payer page, so it follows the rules of all text that people read. */
function readName(name: string | undefined): string {
  if (name === undefined) {
    throw new UsageError('Give the name that payers see: --name "Acme Co., Ltd."');
  }
  const text = name.trim();
  if (text.length > NAME_MAX_CHARS || !v.is(personName, text)) {
    throw new Error(`--name takes 1 to ${NAME_MAX_CHARS} visible characters.`);
  }
  return text;
}

function describe({ name, displayName, modes }: Merchant) {
  return { merchant: name, display_name: displayName, modes };
}

function toLine({ name, displayName, modes }: Merchant): string {
  return `${name}  ${modes.join(', ')}  ${displayName === null ? 'payers see its own name' : `payers see "${displayName}"`}`;
}

function print({ json }: Values, merchant: Merchant): void {
  console.log(json ? JSON.stringify(describe(merchant), null, 2) : toLine(merchant));
}

runCommand('npm run merchants', USAGE, main);
