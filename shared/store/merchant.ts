import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { MODES, type Mode, type World, worldIdOf } from '../domain/world.ts';
import { listApiKeys } from './api-key.ts';
import { documents, tableName } from './client.ts';
import { worldKey } from './keys.ts';
import { findWorld } from './world.ts';

/** A merchant, as an operator sees it. */
export interface Merchant {
  readonly name: string;
  /** Its name for payers, where an operator has set one. */
  readonly displayName: string | null;
  readonly modes: readonly Mode[];
}

/** A merchant exists if it has a world; null where it has none. */
export async function findMerchant(name: string): Promise<Merchant | null> {
  const found = await Promise.all(MODES.map((mode) => findWorld(worldIdOf(name, mode))));
  const worlds = found.filter((world): world is World => world?.merchant === name);
  const displayName = worlds.find((world) => world.displayName !== undefined)?.displayName ?? null;
  return worlds.length === 0 ? null : { name, displayName, modes: worlds.map(({ mode }) => mode) };
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

/** Sets a merchant's name for payers in each of its worlds; null removes it. */
export async function setDisplayName({ name, modes }: Merchant, displayName: string | null): Promise<void> {
  const change =
    displayName === null
      ? { UpdateExpression: 'REMOVE displayName' }
      : {
          UpdateExpression: 'SET displayName = :name',
          ExpressionAttributeValues: { ':name': displayName },
        };
  for (const mode of modes) {
    const Key = worldKey(worldIdOf(name, mode));
    const condition = { ConditionExpression: 'attribute_exists(pk)' };
    await documents.send(new UpdateCommand({ TableName: tableName(), Key, ...condition, ...change }));
  }
}
