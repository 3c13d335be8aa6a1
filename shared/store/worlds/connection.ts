import type { Connection } from '../../domain/connection.ts';
import type { World } from '../../domain/world.ts';
import { commit, type Write } from '../table/commit.ts';
import { getItem, insert, remove, update } from '../table/item.ts';
import { notificationsKey, worldKey } from '../table/keys.ts';
import { findWorld } from './world.ts';

/**
 * Connects a live world to a provider, or records that the same connection got new secrets.
 * @param world as it was read
 * @param record the entry of the audit
 * @returns false where another call has connected or disconnected it since
 */
export function connectWorld(world: World, connection: Connection, record: Write): Promise<boolean> {
  const { provider } = world;
  const isNew = provider === null;
  const connecting = update(worldKey(world.id), 'SET provider = :connection', {
    condition: isNew ? 'attribute_exists(pk) AND attribute_not_exists(provider)' : AS_READ,
    values: { ':connection': connection, ...(!isNew && { ':read': provider.connectedAtMs }) },
  });
  const notified = insert({ ...notificationsKey(connection.token), worldId: world.id });
  return isWritten([connecting, record, ...(isNew ? [notified] : [])]);
}

/**
 * Ends a connection: its notifications lead to no world from now on.
 * @returns false where another call has connected or disconnected the world since it was read
 */
export function disconnectWorld(
  world: World,
  { token, connectedAtMs }: Connection,
  record: Write,
): Promise<boolean> {
  const disconnecting = update(worldKey(world.id), 'REMOVE provider', {
    condition: AS_READ,
    values: { ':read': connectedAtMs },
  });
  return isWritten([disconnecting, record, remove(notificationsKey(token))]);
}

/** The world whose provider sends its notifications to this URL; null where no world has it, or none any more. */
export async function findNotifiedWorld(kind: string, token: string): Promise<World | null> {
  const notified = await getItem(notificationsKey(token));
  const world = notified === undefined ? null : await findWorld(String(notified.worldId));
  return world?.provider?.kind === kind && world.provider.token === token ? world : null;
}

const AS_READ = 'provider.connectedAtMs = :read';

async function isWritten(writes: readonly Write[]): Promise<boolean> {
  return (await commit(writes)).kind === 'committed';
}
