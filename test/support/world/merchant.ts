import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { PRESETS } from '../../../shared/contract/permissions.ts';
import { API_VERSIONS } from '../../../shared/contract/versions.ts';
import type { ApiKeyInput } from '../../../shared/domain/api-key.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';

const service = inject('service');
process.env.AWS_ENDPOINT_URL_DYNAMODB = service.dynamodbEndpoint;
process.env.TABLE_NAME = service.tableName;
process.env[VARIABLES.secretsFolder] ??= service.secretsFolder;
process.env.AWS_REGION ??= 'local';
process.env.AWS_ACCESS_KEY_ID ??= 'local';
process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
// After the environment is set, for the store's client reads it.
const { issueApiKey } = await import('../../../shared/store/worlds/api-key.ts');

export const baseUrl = service.baseUrl;

/** The name of a merchant that no other test has. */
export function newMerchantName(): string {
  return `m-${randomUUID()}`;
}

/** A key, by default an owner's in test mode of a merchant of its own. */
export async function newKey(
  order: Partial<ApiKeyInput> = {},
): Promise<{ secret: string; id: string; merchant: string }> {
  const { secret, key } = await issueApiKey(
    {
      merchant: newMerchantName(),
      mode: 'test',
      permissions: PRESETS.owner,
      version: API_VERSIONS[0],
      label: 'test',
      ...order,
    },
    'a test',
    Date.now(),
  );
  return { secret, id: key.id, merchant: key.merchant };
}
