import * as v from 'valibot';
import { personName } from '../../shared/contract/fields.ts';
import type { Merchant, MerchantSetting } from '../../shared/store/worlds/merchant.ts';
import type { Acts, GivenTo } from '../terminal/command.ts';
import type { MERCHANTS } from '../terminal/options.ts';
import { print } from '../terminal/print.ts';
import { existingMerchant } from './existing-merchant.ts';
import { readActor } from './read-actor.ts';
import { useService } from './target.ts';

const NAME_MAX_CHARS = 80;

type GivenToMerchants = GivenTo<typeof MERCHANTS, 'show'>;

async function change(
  values: GivenToMerchants,
  setting: MerchantSetting,
  value: string | null,
): Promise<void> {
  const { setForPayers } = await useMerchants(values);
  const merchant = await existingMerchant(values.merchant);
  if (!(await setForPayers(merchant, setting, value, await readActor(values), Date.now()))) {
    throw new Error('A world of this merchant is gone: nothing was changed.');
  }
  printOne(values, { ...merchant, [setting]: value });
}

async function show(values: GivenToMerchants): Promise<void> {
  await useMerchants(values);
  printOne(values, await existingMerchant(values.merchant));
}

async function list(values: GivenTo<typeof MERCHANTS, 'list'>): Promise<void> {
  const { listMerchants } = await useMerchants(values);
  const merchants = await listMerchants();
  const lines = merchants.map(toLine);
  const words = lines.length === 0 ? ['No merchants: the first key of a merchant creates it.'] : lines;
  print(values.json, merchants.map(describe), ...words);
}

/** The store of the service that the command works on. */
async function useMerchants(values: Parameters<typeof useService>[0]) {
  await useService(values);
  return import('../../shared/store/worlds/merchant.ts');
}

/** The name is on every payer page, so it follows the rules of all text that people read. */
function readName(name: string): string {
  const text = name.trim();
  if (text.length > NAME_MAX_CHARS || !v.is(personName, text)) {
    throw new Error(`--name takes 1 to ${NAME_MAX_CHARS} visible characters.`);
  }
  return text;
}

function describe({ name, displayName, logoUrl, modes }: Merchant) {
  return { merchant: name, display_name: displayName, logo_url: logoUrl, modes };
}

function toLine({ name, displayName, logoUrl, modes }: Merchant): string {
  const shown = displayName === null ? 'payers see its own name' : `payers see "${displayName}"`;
  return `${name}  ${modes.join(', ')}  ${shown}${logoUrl === null ? '' : `  logo ${logoUrl}`}`;
}

function printOne({ json }: GivenToMerchants, merchant: Merchant): void {
  print(json, describe(merchant), toLine(merchant));
}

export const acts: Acts<typeof MERCHANTS> = {
  set: (values) => change(values, 'displayName', readName(values.name)),
  clear: (values) => change(values, 'displayName', null),
  'set-logo': (values) => change(values, 'logoUrl', values.url),
  'clear-logo': (values) => change(values, 'logoUrl', null),
  show,
  list,
};
