import { isLike } from '../../shared/domain/endpoint.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';
import { UsageError } from '../terminal/command.ts';
import { PROGRAM } from '../terminal/program-name.ts';

/**
 * A filter of event types by comma-separated patterns: `payment.succeeded`, `payment.*`, `*`.
 * @throws UsageError for a pattern that matches no type
 */
export function eventFilter(patterns: string): (type: string) => boolean {
  const wanted = patterns.split(',').map((pattern) => pattern.trim());
  const foreign = wanted.find((pattern) => !EVENT_TYPES.some((type) => isLike(type, pattern)));
  if (foreign !== undefined) {
    throw new UsageError(
      `Unknown event type "${foreign}". "${PROGRAM} trigger --help" lists the types, and payment.* stands for all of payments.`,
    );
  }
  return (type) => wanted.some((pattern) => isLike(type, pattern));
}
