import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { SecretsFolder } from '../../../infra/machine/secrets-folder.ts';
import type { SecretKeeper } from '../../../infra/operator/secret-keeper.ts';
import { type Connection, newNotificationToken } from '../../../shared/domain/connection.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { configuredOrigin } from '../../../shared/providers/provider-kinds.ts';
import type { ProviderSecrets } from '../../../shared/store/worlds/provider-secrets.ts';
import { newKey } from './merchant.ts';

const { connectWorld, disconnectWorld } = await import('../../../shared/store/worlds/connection.ts');
const { insert } = await import('../../../shared/store/table/item.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

/** A key of a merchant whose live world is connected to Stripe by these secrets, as `pg admin providers` connects it. */
export async function newConnected(secrets: ProviderSecrets) {
  const { secret, merchant } = await newKey({ mode: 'live' });
  const world = await getWorld(worldIdOf(merchant, 'live'));
  const connect = (account: string) => connectTo(world.id, account, secrets);
  const connection = await connect('acct_1');
  return { secret, merchant, world: { ...world, provider: connection }, connection, connect };
}

/** Connects a live world as `pg admin providers` does. */
async function connectTo(worldId: string, account: string, secrets: ProviderSecrets) {
  const world = await getWorld(worldId);
  const origin = configuredOrigin('stripe');
  const connection: Connection = {
    kind: 'stripe',
    token: newNotificationToken(),
    account,
    isTest: true,
    ...(origin !== undefined && { origin }),
    connectedAtMs: Date.now(),
  };
  await (await keeperOfSecrets()).write(worldId, secrets);
  if (!(await connectWorld(world, connection, record()))) {
    throw new Error('somebody else has connected a world that was not');
  }
  return connection;
}

/** Disconnects a live world as `pg admin providers` does. */
export async function disconnect(worldId: string): Promise<void> {
  const world = await getWorld(worldId);
  if (world.provider === null || !(await disconnectWorld(world, world.provider, record()))) {
    throw new Error('somebody else has disconnected a world that was connected');
  }
  await (await keeperOfSecrets()).remove(worldId);
}

/** Instead of an entry of the audit. */
function record() {
  return insert({ pk: `AUDIT#${randomUUID()}`, sk: 'a test' });
}

async function keeperOfSecrets(): Promise<SecretKeeper> {
  const { secretsFolder, stackName } = inject('service');
  if (stackName === undefined) {
    return new SecretsFolder(secretsFolder);
  }
  const { StageSecrets } = await import('../../../infra/operator/stage-secrets.ts');
  return new StageSecrets(stackName, null);
}
