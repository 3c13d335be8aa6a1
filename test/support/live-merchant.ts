import { inject } from 'vitest';
import type { SecretKeeper } from '../../infra/cli/secret-keeper.ts';
import { SecretsFolder } from '../../infra/local/secrets-folder.ts';
import { newNoticeToken } from '../../shared/domain/connection.ts';
import { worldIdOf } from '../../shared/domain/world.ts';
import type { ProviderSecrets } from '../../shared/store/provider-secrets.ts';
import { newKey } from './merchant.ts';

const { connectWorld } = await import('../../shared/store/connection.ts');
const { insert } = await import('../../shared/store/item.ts');
const { getWorld } = await import('../../shared/store/world.ts');

/** A key of a merchant whose live world is connected to Stripe by these secrets, as `npm run providers` connects it. */
export async function newConnected(secrets: ProviderSecrets) {
  const { secret, merchant } = await newKey({ mode: 'live' });
  const world = await getWorld(worldIdOf(merchant, 'live'));
  const connection = {
    kind: 'stripe',
    token: newNoticeToken(),
    account: 'acct_1',
    isTest: true,
    connectedAtMs: Date.now(),
  };
  await (await keeperOfSecrets()).write(world.id, secrets);
  if (!(await connectWorld(world, connection, insert({ pk: `AUDIT#${merchant}`, sk: 'a test' })))) {
    throw new Error('somebody else has connected a world that is new');
  }
  return { secret, merchant, world: { ...world, provider: connection }, connection };
}

async function keeperOfSecrets(): Promise<SecretKeeper> {
  const { secretsFolder, stackName } = inject('service');
  if (stackName === undefined) {
    return new SecretsFolder(secretsFolder);
  }
  const { StageSecrets } = await import('../../infra/cli/stage-secrets.ts');
  return new StageSecrets(stackName);
}
