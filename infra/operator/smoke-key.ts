import { SMOKE_MERCHANT as merchant } from '../../shared/contract/smoke-world.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { smokeKeyNameOf } from '../aws/stage.ts';
import { readActor } from './read-actor.ts';
import { StageSecrets } from './stage-secrets.ts';
import { findService } from './target.ts';

/**
 * Makes a new key for the smoke payments of a stage that was deployed, and ends the ones before.
 * @param kmsKey what encrypts the secrets of the stage: null where AWS's own key does
 */
export async function renewSmokeKey(stack: string, kmsKey: string | null): Promise<void> {
  const { baseUrl } = await findService({ stack });
  const secrets = new StageSecrets(stack, kmsKey);
  await replaceSmokeKey(await readActor({ stack }), (key) =>
    secrets.writeText(smokeKeyNameOf(stack), JSON.stringify({ key, baseUrl })),
  );
}

/**
 * @param actor for the audit
 * @param keep stores the new key before the old ones end
 * @internal
 */
export async function replaceSmokeKey(actor: string, keep: (key: string) => Promise<void>): Promise<void> {
  // Loaded after the environment is set, because the store's client reads it.
  const [{ issueApiKey, listApiKeys, revokeApiKey }, { SMOKE_PERMISSIONS }] = await Promise.all([
    import('../../shared/store/worlds/api-key.ts'),
    import('../../shared/flows/smoke/smoke-payment.ts'),
  ]);
  const before = await listApiKeys(merchant);
  const order = { merchant, permissions: SMOKE_PERMISSIONS, mode: 'test', version: NEWEST_VERSION } as const;
  const { secret } = await issueApiKey({ ...order, label: 'smoke payments' }, actor, Date.now());
  await keep(secret);
  for (const { id } of before) {
    await revokeApiKey(id, actor, Date.now());
  }
}
