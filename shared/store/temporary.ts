/* Imports nothing from the SDK: functions that never use the store load this file too. */

const TEMPORARY = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'InternalServerError',
  'ServiceUnavailable',
  // Only collisions and throttling get here: `commit` handles failed conditions.
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

/** Whether the store failed only for now, so that the same request may succeed soon. */
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
