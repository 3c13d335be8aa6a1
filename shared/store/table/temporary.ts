/* Imports nothing: functions that never use the store load this file too. */

/** The service is overloaded. */
const THROTTLED: ReadonlySet<string> = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottledException',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);
/** Names and codes of failures of the service or of the way to it. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Only collisions and throttling get out of the store as such: `commit` handles failed conditions. */
const COLLIDED: ReadonlySet<string> = new Set([
  'TransactionCanceledException',
  'TransactionConflictException',
]);
const CAUSES_MAX = 5;
const TOO_MANY_REQUESTS = 429;

interface AwsError {
  readonly name?: string;
  readonly code?: string;
  readonly $fault?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether a service of AWS refused a call because it has too much to do. */
function isThrottled(error: unknown): boolean {
  const { name = '', $metadata } = error as AwsError;
  return THROTTLED.has(name) || $metadata?.httpStatusCode === TOO_MANY_REQUESTS;
}

/** Whether a service of AWS failed, or was not reached, so that the same call may succeed at once. */
function isTransient(error: unknown): boolean {
  const { name = '', code = '', $fault } = error as AwsError;
  return TRANSIENT.has(name) || TRANSIENT.has(code) || $fault === 'server';
}

/** Whether the store failed only for now, so that the same request may succeed soon. */
export function isTemporary(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    if (isThrottled(current) || isTransient(current) || COLLIDED.has(current.name)) {
      return true;
    }
    current = current.cause;
  }
  return false;
}
