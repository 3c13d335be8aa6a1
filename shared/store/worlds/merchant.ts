import { MODES, type Mode, type World, worldIdOf } from '../../domain/world.ts';
import { commit } from '../table/commit.ts';
import { worldKey } from '../table/keys.ts';
import { listApiKeys } from './api-key.ts';
import { recordAudit } from './audit.ts';
import { findWorld } from './world.ts';

/** A merchant, as an operator sees it. */
export interface Merchant {
  readonly name: string;
  /** Its name for payers, where an operator has set one. */
  readonly displayName: string | null;
  /** The address of its logo, where an operator has set one. */
  readonly logoUrl: string | null;
  readonly modes: readonly Mode[];
}

/** A merchant exists if it has a world; null where it has none. */
export async function findMerchant(name: string): Promise<Merchant | null> {
  const found = await Promise.all(MODES.map((mode) => findWorld(worldIdOf(name, mode))));
  const worlds = found.flatMap((world) => (world?.merchant === name ? [world] : []));
  const displayName = worlds.find((world) => world.displayName !== undefined)?.displayName ?? null;
  const logoUrl = worlds.find((world) => world.logoUrl !== undefined)?.logoUrl ?? null;
  return worlds.length === 0 ? null : { name, displayName, logoUrl, modes: worlds.map(({ mode }) => mode) };
}

/** All merchants that have a key, sorted by name. */
export async function listMerchants(): Promise<Merchant[]> {
  const names = [...new Set((await listApiKeys()).map(({ merchant }) => merchant))].toSorted();
  const found = [];
  for (const name of names) {
    found.push(await findMerchant(name));
  }
  return found.filter((merchant) => merchant !== null);
}

/** The live worlds that there are, sorted by their merchants' names. */
export async function listLiveWorlds(): Promise<World[]> {
  const worlds = [];
  for (const { name } of await listMerchants()) {
    worlds.push(await findWorld(worldIdOf(name, 'live')));
  }
  return worlds.filter((world) => world !== null);
}

/** What an operator sets for a merchant's payers: the attribute of its worlds, and how the audit calls it. */
const SETTINGS = {
  displayName: { action: 'set-name', detail: 'display_name' },
  logoUrl: { action: 'set-logo', detail: 'logo_url' },
} as const;
export type MerchantSetting = keyof typeof SETTINGS;

/**
 * Sets what payers see of a merchant in each of its worlds; null removes it.
 * @param actor recorded in the audit
 * @returns false where one of its worlds is gone: nothing is changed
 */
export async function setForPayers(
  { name, modes }: Merchant,
  setting: MerchantSetting,
  value: string | null,
  actor: string,
  atMs: number,
): Promise<boolean> {
  const change =
    value === null
      ? { expression: `REMOVE ${setting}` }
      : { expression: `SET ${setting} = :value`, values: { ':value': value } };
  const condition = 'attribute_exists(pk)';
  const { action, detail } = SETTINGS[setting];
  const details = { [detail]: value };
  const outcome = await commit(
    modes.flatMap((mode) => [
      { update: { key: worldKey(worldIdOf(name, mode)), condition, ...change } },
      recordAudit({ atMs, action, actor, merchant: name, mode, subject: name, details }),
    ]),
  );
  return outcome.kind === 'committed';
}
