import { MINUTE_MS } from '../../domain/clock.ts';
import { requireVariable } from '../../environment/variables.ts';
import { AWS_OPTIONS } from '../table/aws-client.ts';
import { type ProviderSecrets, parseSecrets, type ReadSecrets } from './provider-secrets.ts';

/** How long secrets are kept in memory (contract §15). */
const KEPT_MS = 5 * MINUTE_MS;
const KEPT_MAX = 1_000;

/** Loaded when the first secrets are read: most calls of a function read none. */
const loadClient = async () => {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const client = new SecretsManagerClient(AWS_OPTIONS);
  return (SecretId: string) => client.send(new GetSecretValueCommand({ SecretId }));
};
let getSecretValue: ReturnType<typeof loadClient> | undefined;

/** By world, and by when the secrets were set: new ones are read at once. */
const kept = new Map<string, { readonly secrets: ReturnType<ReadSecrets>; readonly untilMs: number }>();

/** Reads a world's secrets from AWS Secrets Manager, at most once in five minutes. */
export const readFromSecretsManager: ReadSecrets = (worldId, connectedAtMs) => {
  const cacheKey = `${worldId} ${connectedAtMs}`;
  const known = kept.get(cacheKey);
  if (known !== undefined && Date.now() < known.untilMs) {
    return known.secrets;
  }
  const secrets = read(worldId);
  if (kept.size >= KEPT_MAX) {
    kept.clear();
  }
  kept.set(cacheKey, { secrets, untilMs: Date.now() + KEPT_MS });
  // If they are not found, or the read fails, the next call reads again.
  secrets.then(
    (found) => found ?? kept.delete(cacheKey),
    () => kept.delete(cacheKey),
  );
  return secrets;
};

async function read(worldId: string): Promise<ProviderSecrets | null> {
  getSecretValue ??= loadClient();
  try {
    const send = await getSecretValue;
    const { SecretString = '' } = await send(`${requireVariable('secretsPrefix')}${worldId}`);
    return parseSecrets(SecretString);
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') {
      return null;
    }
    throw error;
  }
}
