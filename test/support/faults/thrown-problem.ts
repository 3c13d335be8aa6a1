import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { Problem } from '../../../shared/errors/problem.ts';

/**
 * The problem with which something is refused. Fails where it is not refused, or breaks in another way.
 * @param code the expected code, if any, which types the details
 */
export function problemOf<Code extends ErrorCode = ErrorCode>(
  act: () => unknown,
  code?: Code,
): Problem<Code> {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem && (code === undefined || error.code === code)) {
      return error;
    }
    throw error;
  }
  throw new Error('a refusal was expected, but it went through');
}
