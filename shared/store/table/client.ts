import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { SpanKind } from '@opentelemetry/api';
import type { ResourceName } from '../../domain/resource.ts';
import { requireVariable } from '../../environment/variables.ts';
import { inSpan } from '../../telemetry/spans.ts';
import { AWS_OPTIONS, interceptCalls, named } from './aws-client.ts';

/** One client for the process: its connections stay open between requests. */
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient(AWS_OPTIONS), {
  marshallOptions: { removeUndefinedValues: true },
});

interceptCalls(dynamodb, ({ operation, step }, next) =>
  inSpan(
    {
      name: step === undefined ? operation : `${operation} ${step}`,
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'aws.dynamodb', 'db.operation.name': operation },
    },
    next,
  ),
);

/** The operations on the table. Values are plain: numbers, texts, lists, sets, bytes. */
const SENDS = {
  BatchGetItem: (input: BatchGetCommandInput) => dynamodb.send(new BatchGetCommand(input)),
  BatchWriteItem: (input: BatchWriteCommandInput) => dynamodb.send(new BatchWriteCommand(input)),
  DeleteItem: (input: DeleteCommandInput) => dynamodb.send(new DeleteCommand(input)),
  GetItem: (input: GetCommandInput) => dynamodb.send(new GetCommand(input)),
  PutItem: (input: PutCommandInput) => dynamodb.send(new PutCommand(input)),
  Query: (input: QueryCommandInput) => dynamodb.send(new QueryCommand(input)),
  /** With the token by which a repeated transaction takes effect once. */
  TransactWriteItems: (input: TransactWriteCommandInput & { readonly ClientRequestToken: string }) =>
    dynamodb.send(new TransactWriteCommand(input)),
  UpdateItem: (input: UpdateCommandInput) => dynamodb.send(new UpdateCommand(input)),
};
type Sends = typeof SENDS;
type WholeInput<Name extends keyof Sends> = Parameters<Sends[Name]>[0];

/** The input of an operation, which names no table where it is about one alone: it is that of this deployment. */
export type TableInput<Name extends keyof Sends> = Omit<WholeInput<Name>, 'TableName'>;

/** The names of some calls, for interceptors that hold them or let them fail. */
export type StepName =
  | `read ${ResourceName}`
  | 'commit request'
  | 'finish entry'
  | 'finish job'
  | 'finish moved job'
  | 'log attempts'
  | 'number entry'
  | 'publish entry'
  | 'read balances'
  | 'read caller'
  | 'read jobs'
  | 'read list'
  | 'read world'
  | 'store part of seed'
  | 'take number'
  | 'take over claim';

/** Calls the table of this deployment. */
export function callTable<Name extends keyof Sends>(
  operation: Name,
  input: TableInput<Name>,
  step?: StepName,
): ReturnType<Sends[Name]> {
  const isOfTables = 'RequestItems' in input || 'TransactItems' in input;
  const whole = isOfTables ? { ...input } : { TableName: tableName(), ...input };
  const send = SENDS[operation] as (whole: WholeInput<Name>) => ReturnType<Sends[Name]>;
  return send(named(whole as WholeInput<Name>, step));
}

/**
 * The table of this deployment.
 * @throws Error where the environment variable is missing: a defect of the deployment
 */
export function tableName(): string {
  return requireVariable('tableName');
}
