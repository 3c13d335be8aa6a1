import { requireVariable } from '../../environment/variables.ts';
import { AWS_OPTIONS } from '../table/aws-client.ts';

/** What smoke payments need to know of their stage. */
export interface SmokeKey {
  readonly key: string;
  /** Where the stage is reached. It is here, since what tries new versions must not refer to the API that leads to them. */
  readonly baseUrl: string;
}

/**
 * The key of smoke payments, read each time: each deployment makes a new one.
 * @throws Error where there is none yet: `pg admin deploy` makes it after the first deployment
 */
export async function readSmokeKey(): Promise<SmokeKey> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const SecretId = requireVariable('smokeKey');
  const { SecretString = '' } = await new SecretsManagerClient(AWS_OPTIONS).send(
    new GetSecretValueCommand({ SecretId }),
  );
  return JSON.parse(SecretString);
}
