import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { closedEndpoint } from '../../infra/local/closed-endpoint.ts';
import { chooseEngine } from '../../infra/local/engine-choice.ts';
import { startEngine } from '../../infra/local/engine-process.ts';
import { createTable, startStore } from '../../infra/local/store.ts';
import { dynamodb } from '../../shared/store/table/client.ts';
import { installDynamoDbLocal } from '../support/tools/dynamodb-local.ts';
import { TABLE_NAME } from './differential-calls.ts';
import type { StoreCall } from './model-store.ts';

/** An engine with an empty table. */
export interface DifferentialEngine {
  readonly name: 'dynoxide' | 'DynamoDB Local';
  readonly call: (call: StoreCall) => Promise<object>;
  readonly stop: () => Promise<void>;
}

const COMMANDS = {
  GetItem: GetCommand,
  BatchGetItem: BatchGetCommand,
  Query: QueryCommand,
  PutItem: PutCommand,
  UpdateItem: UpdateCommand,
  DeleteItem: DeleteCommand,
  BatchWriteItem: BatchWriteCommand,
  TransactWriteItems: TransactWriteCommand,
};

/** Starts the local engine, and AWS's beside it where that is asked for, for this process alone. */
export async function startEngines({
  withAws,
}: {
  readonly withAws: boolean;
}): Promise<readonly DifferentialEngine[]> {
  const { endpoint, stop } = await startStore(null);
  const dynoxide = { name: 'dynoxide', call: await callerOf(endpoint), stop } as const;
  return withAws ? [dynoxide, await startDynamoDbLocal()] : [dynoxide];
}

async function startDynamoDbLocal(): Promise<DifferentialEngine> {
  const localEndpoint = await closedEndpoint();
  const surroundings = {
    platform: process.platform,
    arch: process.arch,
    folderOfPackage: () => null,
    namedJars: await installDynamoDbLocal(),
    usualJars: null,
    hasJava: () => true,
  };
  const local = await startEngine(chooseEngine(surroundings), localEndpoint, null);
  return { name: 'DynamoDB Local', call: await callerOf(localEndpoint), stop: local.stop };
}

/** With the conversions of the service's own client, and without its retries. */
async function callerOf(endpoint: string): Promise<DifferentialEngine['call']> {
  await createTable(endpoint, TABLE_NAME);
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const documents = DynamoDBDocumentClient.from(client, dynamodb.config.translateConfig);
  return ({ operation, input }) => {
    const Command = COMMANDS[operation as keyof typeof COMMANDS] as typeof GetCommand;
    return documents.send(new Command(input as ConstructorParameters<typeof GetCommand>[0]));
  };
}
