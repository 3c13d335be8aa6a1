import { describeError, log } from '../telemetry/log.ts';

/**
 * Makes a Lambda function that events invoke. The runtime prints thrown errors in full, and the store's messages may
 * quote stored data. So the error is logged without its message, and a new error with only its name is thrown.
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
