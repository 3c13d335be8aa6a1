import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { runGranted } from './guard.ts';

type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/** A function of the service, called as Lambda calls it. */
export type LocalFunction<Event, Result> = (event: Event) => Promise<Result>;

interface FunctionModule<Event, Result> {
  readonly handler?: Handler<Event, Result>;
}

/**
 * Loads the function of a file in `functions/`. The environment must be complete first, since its clients read it.
 * @param timeoutSeconds what its context reports; nothing stops the function after that
 */
export async function loadFunction<Event, Result>(
  name: string,
  timeoutSeconds: number = FUNCTION_TIMEOUT_SECONDS,
): Promise<LocalFunction<Event, Result>> {
  return asCalled(name, await import(`../../functions/${name}.ts`), timeoutSeconds);
}

/** Loads the function of a file in `functions/workers/`. A bundle that loads no other has no other in it. */
export async function loadWorker<Event, Result>(
  worker: string,
  timeoutSeconds: number = FUNCTION_TIMEOUT_SECONDS,
): Promise<LocalFunction<Event, Result>> {
  return asCalled(`workers/${worker}`, await import(`../../functions/workers/${worker}.ts`), timeoutSeconds);
}

function asCalled<Event, Result>(
  name: string,
  { handler }: FunctionModule<Event, Result>,
  timeoutSeconds: number,
): LocalFunction<Event, Result> {
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
