/* Imports nothing of the SDK: functions that never ask the store use it too, and load without it. */

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
