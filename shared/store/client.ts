import type * as sdk from '@aws-sdk/lib-dynamodb';
import type { ResourceName } from '../domain/resource.ts';
import { AwsClient, readVariable, type Service } from './aws-client.ts';
import { DYNAMODB_JSON } from './dynamodb-json.ts';
import { TABLE_NAME_VARIABLE } from './table.ts';

export const DYNAMODB: Service = {
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  contentType: 'application/x-amz-json-1.0',
  endpointVariable: 'AWS_ENDPOINT_URL_DYNAMODB',
  json: DYNAMODB_JSON,
};

/** The operations on the table. Values are plain: numbers, texts, lists, sets, bytes. */
type TableOperations = {
  BatchGetItem: [sdk.BatchGetCommandInput, sdk.BatchGetCommandOutput];
  BatchWriteItem: [sdk.BatchWriteCommandInput, sdk.BatchWriteCommandOutput];
  DeleteItem: [sdk.DeleteCommandInput, sdk.DeleteCommandOutput];
  GetItem: [sdk.GetCommandInput, sdk.GetCommandOutput];
  PutItem: [sdk.PutCommandInput, sdk.PutCommandOutput];
  Query: [sdk.QueryCommandInput, sdk.QueryCommandOutput];
  /** With the token by which a repeated transaction takes effect once. */
  TransactWriteItems: [
    sdk.TransactWriteCommandInput & { readonly ClientRequestToken: string },
    sdk.TransactWriteCommandOutput,
  ];
  UpdateItem: [sdk.UpdateCommandInput, sdk.UpdateCommandOutput];
};

/** One client for the process: its connections stay open between requests. */
export const dynamodb = new AwsClient<TableOperations>(DYNAMODB);

/** The input of an operation, which names no table where it is about one alone: it is that of this deployment. */
export type TableInput<Name extends keyof TableOperations> = Omit<TableOperations[Name][0], 'TableName'>;

/** The names of some calls, for interceptors that hold them or let them fail. */
export type StepName =
  | `read ${ResourceName}`
  | 'commit request'
  | 'finish entry'
  | 'finish job'
  | 'finish moved job'
  | 'log attempts'
  | 'read balances'
  | 'read jobs'
  | 'read list'
  | 'read world'
  | 'store part of seed'
  | 'take number'
  | 'take over claim';

/** Calls the table of this deployment. */
export function callTable<Name extends keyof TableOperations>(
  operation: Name,
  input: TableInput<Name>,
  step?: StepName,
): Promise<TableOperations[Name][1]> {
  const isOfTables = 'RequestItems' in input || 'TransactItems' in input;
  const named = isOfTables ? input : { TableName: tableName(), ...input };
  return dynamodb.call(operation, named as TableOperations[Name][0], step);
}

/**
 * The table of this deployment.
 * @throws Error where the environment variable is missing: a defect of the deployment
 */
export function tableName(): string {
  return readVariable(TABLE_NAME_VARIABLE);
}
