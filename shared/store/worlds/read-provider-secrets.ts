import type { World } from '../../domain/world.ts';
import type { ProviderSecrets, ReadSecrets } from './provider-secrets.ts';

let readSecrets: ReadSecrets | null = null;

/** Replaces AWS Secrets Manager as the source of secrets: the local host keeps them in files. */
export function readSecretsBy(read: ReadSecrets): void {
  readSecrets = read;
}

/**
 * The secrets of a connected world.
 * @throws Error where they are missing or damaged; the error of their source, where that cannot be read
 */
export async function readProviderSecrets({ id, provider }: World): Promise<ProviderSecrets> {
  // The code that reads from AWS is loaded by the first call that needs it: in test mode, by none.
  const read = readSecrets ?? (await import('./secrets-manager.ts')).readFromSecretsManager;
  const secrets = provider && (await read(id, provider.connectedAtMs));
  if (secrets === null) {
    throw Object.assign(new Error('the secrets of a connected world are missing'), {
      name: 'ProviderSecretsMissing',
    });
  }
  return secrets;
}
