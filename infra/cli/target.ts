import path from 'node:path';
import { TABLE_NAME_VARIABLE } from '../../shared/store/table.ts';
import { readServiceFile } from '../local/service-file.ts';

/** Where a command works: on a deployed stack, or on the local service of a folder. */
export interface Target {
  readonly stack?: string | undefined;
  readonly dir: string;
}

/**
 * Points the store at a target and loads it.
 * @throws Error that says what to do, where the target is not there
 */
export async function useService(target: Target): Promise<typeof import('../../shared/store/api-key.ts')> {
  await (target.stack === undefined ? useLocal(target.dir) : useStack(target.stack));
  // Loaded after the environment is set, because the client reads it.
  return import('../../shared/store/api-key.ts');
}

async function useLocal(dir: string): Promise<void> {
  const service = await readServiceFile(path.join(dir, 'service.json'));
  if (service === null || service === 'damaged' || !(await answers(service.baseUrl))) {
    throw new Error(
      'The local service is not running. Start it with "npm start", or name a deployed one: --stack NAME.',
    );
  }
  process.env.AWS_ENDPOINT_URL_DYNAMODB = service.dynamodbEndpoint;
  process.env[TABLE_NAME_VARIABLE] = service.tableName;
  process.env.AWS_REGION ??= 'local';
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
}

function answers(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/api/v1/openapi.json`).then(
    (response) => response.ok,
    () => false,
  );
}

async function useStack(name: string): Promise<void> {
  // Loaded here, for the local service needs nothing of it.
  const { exportCredentials, findStack, outputOf } = await import('./cloud.ts');
  const stack = await findStack(name);
  if (stack === null) {
    throw new Error(
      `There is no stack "${name}" in this account and region. "npm run stacks" shows the stages.`,
    );
  }
  const table = outputOf(stack, 'TableName');
  if (table === null) {
    throw new Error(`The stack "${name}" has no output TableName: it is not a stack of this service.`);
  }
  process.env[TABLE_NAME_VARIABLE] = table;
  await exportCredentials();
}
