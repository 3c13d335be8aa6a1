import type { Context } from 'aws-lambda';
import { functionNameOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';

type Handler = (event: object, context: Context) => Promise<unknown>;
const WORKERS = ['clock-tick', 'job-runner', 'live-job-runner', 'deliverer'] as const;
export type Worker = (typeof WORKERS)[number];

const handlers = new Map<string, Handler>();

/** Loads every function, before time and chance are replaced. */
export async function loadFunctions(): Promise<void> {
  for (const row of allOperations) {
    const name = functionNameOf(row);
    handlers.set(name, (await import(`../../functions/${name}.ts`)).handler as Handler);
  }
  for (const worker of WORKERS) {
    handlers.set(worker, (await import(`../../functions/workers/${worker}.ts`)).handler as Handler);
  }
}

/** @throws Error where it is not loaded */
export function handlerOf(name: string): Handler {
  const handler = handlers.get(name);
  if (handler === undefined) {
    throw new Error(`the function ${name} is not loaded`);
  }
  return handler;
}
