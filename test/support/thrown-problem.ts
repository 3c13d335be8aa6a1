import { Problem } from '../../shared/errors/problem.ts';

/** The problem with which something is refused. Fails where it is not refused, or breaks in another way. */
export function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) {
      return error;
    }
    throw error;
  }
  throw new Error('a refusal was expected, but it went through');
}
