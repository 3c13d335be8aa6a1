import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { runGranted } from './guard.ts';

type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/** A function of the service, called as Lambda calls it. */
export type LocalFunction<Event, Result> = (event: Event) => Promise<Result>;

/**
 * Loads the function of a file in `functions/`. The environment must be complete first, since its clients read it.
 * @param timeoutSeconds what its context reports; nothing stops the function after that
 */
export async function loadFunction<Event, Result>(
  name: string,
  timeoutSeconds: number = FUNCTION_TIMEOUT_SECONDS,
): Promise<LocalFunction<Event, Result>> {
  const { handler } = (await import(`../../functions/${name}.ts`)) as {
    handler?: Handler<Event, Result>;
  };
  if (handler === undefined) {
    throw new Error(`functions/${name}.ts exports no handler`);
  }
  return (event) => runGranted(name, () => handler(event, newContext(name, timeoutSeconds)));
}

function newContext(functionName: string, timeoutSeconds: number): Context {
  const endsAtMs = Date.now() + timeoutSeconds * 1_000;
  return {
    functionName,
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => Math.max(endsAtMs - Date.now(), 0),
  } as Context;
}
