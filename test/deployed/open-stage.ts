import { stackNameOf } from '../../infra/aws/stage.ts';
import { runQuietly } from './run-quietly.ts';
import type { Stage } from './stage.ts';

/** Reads where a stage is that was deployed, and makes a key of a merchant there. */
export async function openStage(name: string): Promise<Stage> {
  // Loaded when the environment names the target, for the client reads it.
  const { findStack, outputOf } = await import('../../infra/operator/cloud.ts');
  const stackName = stackNameOf(name);
  const stack = await findStack(stackName);
  const [baseUrl, tableName] = ['BaseUrl', 'TableName'].map((key) => stack && outputOf(stack, key));
  if (!baseUrl || !tableName) {
    throw new Error(`${stackName} has not the outputs BaseUrl and TableName`);
  }
  const order = ['create', '--merchant', `of-${name}`, '--preset', 'owner', '--stack', stackName, '--json'];
  const made = await runQuietly('node', ['infra/pg/pg.ts', 'admin', 'keys', ...order]);
  const dynamodbEndpoint = String(process.env.AWS_ENDPOINT_URL);
  return {
    name,
    stackName,
    baseUrl,
    tableName,
    dynamodbEndpoint,
    key: JSON.parse(made).key,
  };
}
