import { stackNameOf } from '../../infra/aws/stage.ts';
import { runOperator } from './run-operator.ts';
import type { Stage } from './stage.ts';

/** Reads where a stage is that was deployed. */
export async function openStage(name: string, key: string): Promise<Stage> {
  // Loaded when the environment names the target, for the client reads it.
  const { findStack, outputOf } = await import('../../infra/operator/cloud.ts');
  const stackName = stackNameOf(name);
  const stack = await findStack(stackName);
  const [baseUrl, tableName] = ['BaseUrl', 'TableName'].map((output) => stack && outputOf(stack, output));
  if (!baseUrl || !tableName) {
    throw new Error(`${stackName} has not the outputs BaseUrl and TableName`);
  }
  return { name, stackName, baseUrl, tableName, dynamodbEndpoint: String(process.env.AWS_ENDPOINT_URL), key };
}

/** Opens a stage with a key that is made there now. */
export async function openWithNewKey(name: string): Promise<Stage> {
  const order = ['create', '--merchant', `of-${name}`, '--preset', 'owner'];
  const { key } = await runOperator('keys', stackNameOf(name), order);
  return openStage(name, key);
}
