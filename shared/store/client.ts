import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AwsClient } from './aws-client.ts';
import { TABLE_NAME_VARIABLE } from './table.ts';

export const SERVICE = {
  name: 'dynamodb',
  contentType: 'application/x-amz-json-1.0',
  endpointVariable: 'AWS_ENDPOINT_URL_DYNAMODB',
} as const;

const client: unknown = new AwsClient(SERVICE, {
  translateConfig: { marshallOptions: { removeUndefinedValues: true } },
});

/** One client for the process: its connections stay open between requests. */
export const dynamodb = client as Pick<DynamoDBClient, 'send' | 'middlewareStack'>;

/** The same, for the commands that take and return plain values. */
export const documents = client as Pick<DynamoDBDocumentClient, 'send'>;

/**
 * The table of this deployment.
 * @throws Error where the environment variable is missing: a defect of the deployment
 */
export function tableName(): string {
  const name = process.env[TABLE_NAME_VARIABLE];
  if (name === undefined || name === '') {
    throw new Error(`${TABLE_NAME_VARIABLE} is not set`);
  }
  return name;
}
