import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLE_NAME_VARIABLE } from './table.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** A DynamoDB call takes milliseconds: one that takes seconds is lost, and is better tried again. */
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
 * @throws Error where the environment does not name one: a defect of the deployment
 */
export function tableName(): string {
  const name = process.env[TABLE_NAME_VARIABLE];
  if (name === undefined || name === '') {
    throw new Error(`${TABLE_NAME_VARIABLE} is not set`);
  }
  return name;
}

const TEMPORARY = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'InternalServerError',
  'ServiceUnavailable',
  // Only conflicts and throttling reach the outside: `commit` answers for conditions.
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
  'LimitExceededException',
  'TimeoutError',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);
const CAUSES_MAX = 5;

/** Whether the store could not answer just now, so that the same request may succeed in a moment. */
export function isTemporary(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    const { name, code, $fault } = current as Error & { code?: string; $fault?: string };
    if (TEMPORARY.has(name) || TEMPORARY.has(code ?? '') || $fault === 'server') {
      return true;
    }
    current = current.cause;
  }
  return false;
}
