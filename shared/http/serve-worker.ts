import { describeError, log } from './log.ts';

/**
 * Makes a Lambda function that events call. The runtime prints what a function throws word for word, and the words of a
 * store may quote what it holds: so the error is logged as every other one, and goes on by its name alone.
 */
export function serveWorker<Given extends readonly unknown[]>(
  name: string,
  work: (...given: Given) => Promise<void>,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    try {
      await work(...given);
    } catch (error) {
      log.error('a worker failed', { worker: name, error: describeError(error) });
      throw new Error(`${name} failed: ${error instanceof Error ? error.name : typeof error}`);
    }
  };
}
