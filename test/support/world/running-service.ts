import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TestProject } from 'vitest/node';
import { type Host, type ServiceFile, startHost } from './host.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: ServiceFile & {
      readonly dir: string;
      readonly secretsFolder: string;
      /** The stack of a deployed service, whose secrets are in AWS Secrets Manager. */
      readonly stackName?: string;
    };
  }
}

/** Each project of a run has this module to itself, in the same process. */
const run = globalThis as { host?: ReturnType<typeof startHost> };

/**
 * One service for the whole run: test files share it, and each test has merchants of its own. Its data is in an engine of
 * its own, or in the one that AWS_ENDPOINT_URL_DYNAMODB names: there in a table that ends with the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  run.host ??= named === undefined ? startHost() : startHostOn(named);
  const { baseUrl, tableName, dynamodbEndpoint, secretsFolder, key, dir, stop } = await run.host;
  project.provide('service', { baseUrl, tableName, dynamodbEndpoint, secretsFolder, key, dir });
  return stop;
}

async function startHostOn(endpoint: string): Promise<Host> {
  const TableName = `test-${randomUUID()}`;
  const host = await startHost({ env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: TableName } });
  const end = async () => {
    await host.stop();
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    await new DynamoDBClient({ endpoint, region: 'local', credentials }).send(
      new DeleteTableCommand({ TableName }),
    );
  };
  // Once, for each project of a run ends it.
  let ending: Promise<void> | undefined;
  return { ...host, stop: () => (ending ??= end()) };
}
