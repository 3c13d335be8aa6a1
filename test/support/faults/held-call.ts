import { AsyncLocalStorage } from 'node:async_hooks';
import { type AwsCall, interceptCalls } from '../../../shared/store/table/aws-client.ts';
import type { StepName } from '../../../shared/store/table/client.ts';
import '../world/merchant.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');

interface Holding {
  readonly isMeant: (call: AwsCall) => boolean;
  readonly reached: PromiseWithResolvers<void>;
  readonly go: PromiseWithResolvers<void>;
}

const holdings = new AsyncLocalStorage<Holding>();

interceptCalls(dynamodb, async (call, next) => {
  const holding = holdings.getStore();
  if (holding?.isMeant(call)) {
    holding.reached.resolve();
    await holding.go.promise;
  }
  return next();
});

/**
 * Runs an action and holds its calls of one kind to the store until the test releases them.
 * @returns when the first such call is about to be sent, or when everything is done without one
 */
export async function heldAt<T>(isMeant: (call: AwsCall) => boolean, act: () => Promise<T>) {
  const holding = { isMeant, reached: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
  const done = holdings.run(holding, act);
  await Promise.race([holding.reached.promise, done]);
  return {
    /** Releases the call, and returns the result of the action. */
    letGo: () => {
      holding.go.resolve();
      return done;
    },
  };
}

/** Whether a call is one of these steps. */
export function isStep(...steps: readonly StepName[]) {
  return ({ step }: AwsCall) => steps.some((one) => one === step);
}

export function isCommit({ operation }: AwsCall): boolean {
  return operation === 'TransactWriteItems';
}
