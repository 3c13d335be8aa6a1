import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { FUNCTION_TIMEOUT_SECONDS } from '../../shared/contract/operation.ts';
import { runGranted } from './guard.ts';

type Handler<Event, Answer> = (event: Event, context: Context) => Promise<Answer>;

/** A function of the service, called as Lambda calls it. */
export type LocalFunction<Event, Answer> = (event: Event) => Promise<Answer>;

/**
 * Loads the function of a file in `functions/`. The environment must be complete first, since its clients read it.
 * @param timeoutSeconds what its context reports; nothing stops the function after that
 */
export async function loadFunction<Event, Answer>(
  name: string,
  timeoutSeconds: number = FUNCTION_TIMEOUT_SECONDS,
): Promise<LocalFunction<Event, Answer>> {
  const { handler } = (await import(new URL(`../../functions/${name}.ts`, import.meta.url).href)) as {
    handler?: Handler<Event, Answer>;
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
