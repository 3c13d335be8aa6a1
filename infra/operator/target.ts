import { VARIABLES } from '../../shared/environment/variables.ts';
import { isProductionStack } from '../aws/stage.ts';
import { findLocalService } from '../machine/find-service.ts';
import { SecretsFolder } from '../machine/secrets-folder.ts';
import { PROGRAM, START } from '../terminal/program-name.ts';
import type { SecretKeeper } from './secret-keeper.ts';

/** The service that a command works on: a deployed stack, or the local service of a folder. */
export interface Target {
  readonly stack?: string | undefined;
  readonly dir?: string | undefined;
}

/** The parts of a service beside its table. */
export interface OperatedService {
  /** Its base URL, without a slash at the end. */
  readonly baseUrl: string;
  readonly secrets: SecretKeeper;
  readonly isProduction: boolean;
}

/**
 * Points the store at a target and loads it.
 * @throws Error with advice, if the target does not exist
 */
export async function useService(
  target: Target,
): Promise<typeof import('../../shared/store/worlds/api-key.ts')> {
  await findService(target);
  // Loaded after the environment is set, because the client reads it.
  return import('../../shared/store/worlds/api-key.ts');
}

/**
 * Points the store at a target.
 * @throws Error with advice, if the target does not exist
 */
export async function findService(target: Target): Promise<OperatedService> {
  return target.stack === undefined ? findLocal(target.dir) : findStage(target.stack);
}

async function findLocal(dir: string | undefined): Promise<OperatedService> {
  const service = await findLocalService(dir);
  if (service === null) {
    throw new Error(
      `No service runs ${dir === undefined ? 'here' : `in ${dir}`}. Start it with "${START}", or name a deployed one: --stack NAME.`,
    );
  }
  process.env.AWS_ENDPOINT_URL_DYNAMODB = service.dynamodbEndpoint;
  process.env[VARIABLES.tableName] = service.tableName;
  process.env.AWS_REGION ??= 'local';
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  return {
    baseUrl: service.baseUrl,
    secrets: new SecretsFolder(service.secretsFolder),
    isProduction: false,
  };
}

async function findStage(name: string): Promise<OperatedService> {
  // Loaded here, since the local service does not need it.
  const [{ findStack, outputOf }, { StageSecrets }] = await Promise.all([
    import('./cloud.ts'),
    import('./stage-secrets.ts'),
  ]);
  const stack = await findStack(name);
  if (stack === null) {
    throw new Error(
      `There is no stack "${name}" in this account and region. "${PROGRAM} admin stages" shows the stages.`,
    );
  }
  const [table, baseUrl] = [outputOf(stack, 'TableName'), outputOf(stack, 'BaseUrl')];
  if (table === null || baseUrl === null) {
    throw new Error(
      `The stack "${name}" has no outputs TableName and BaseUrl: it is not a stack of this service.`,
    );
  }
  process.env[VARIABLES.tableName] = table;
  return {
    baseUrl,
    secrets: new StageSecrets(name, outputOf(stack, 'KmsKeyArn')),
    isProduction: isProductionStack(name),
  };
}
