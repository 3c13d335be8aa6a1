import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLE_NAME_VARIABLE } from './table.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** A DynamoDB call takes milliseconds: after seconds without an answer, a retry is better. */
const REQUEST_TIMEOUT_MS = 3_000;
const MAX_ATTEMPTS = 3;

/** One client for the process: its connections stay open between requests. */
export const dynamodb = new DynamoDBClient({
  maxAttempts: MAX_ATTEMPTS,
  requestHandler: {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
});

export const documents = DynamoDBDocumentClient.from(dynamodb, {
  marshallOptions: { removeUndefinedValues: true },
});

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
