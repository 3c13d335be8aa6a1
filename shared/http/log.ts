import { Logger } from '@aws-lambda-powertools/logger';

/**
 * Structured logs. One process serves many requests at once (the local host), so fields are passed with each line and
 * nothing is kept on the logger. Never log a key, a secret, a body or anything about a customer.
 */
export const log = new Logger({ serviceName: 'payments' });

const STACK_LINES_MAX = 12;

/** An error without its message, which may quote what was sent: its name, stack and causes. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { name: typeof error };
  }
  const places = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return {
    name: error.name,
    stack: places.slice(0, STACK_LINES_MAX).map((line) => line.trim()),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
