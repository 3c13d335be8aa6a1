import { AsyncLocalStorage } from 'node:async_hooks';
import './merchant.ts';

const { dynamodb } = await import('../../shared/store/client.ts');

/** One call to the store, as it is about to be sent. */
export interface StoreCall {
  readonly name: string;
  readonly input: unknown;
}

interface Holding {
  readonly isMeant: (call: StoreCall) => boolean;
  readonly reached: PromiseWithResolvers<void>;
  readonly go: PromiseWithResolvers<void>;
}

const holdings = new AsyncLocalStorage<Holding>();

dynamodb.middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      const holding = holdings.getStore();
      if (holding?.isMeant({ name: commandName, input: args.input })) {
        holding.reached.resolve();
        await holding.go.promise;
      }
      return next(args);
    },
  { step: 'initialize', name: 'held call', override: true },
);

/**
 * Does something whose calls of one kind to the store are held until the test lets them go.
 * @returns when the first such call is about to be sent, or when everything is done without one
 */
export async function heldAt<T>(isMeant: (call: StoreCall) => boolean, act: () => Promise<T>) {
  const holding = { isMeant, reached: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
  const done = holdings.run(holding, act);
  await Promise.race([holding.reached.promise, done]);
  return {
    /** Lets the call go on, and answers what the act comes to. */
    letGo: () => {
      holding.go.resolve();
      return done;
    },
  };
}

/** Whether a call names a kind of partition: `PAYMENT`, `BALANCES`. */
export function isOf(partition: string) {
  return ({ input }: StoreCall) => JSON.stringify(input).includes(`#${partition}`);
}

export function isCommit({ name }: StoreCall): boolean {
  return name === 'TransactWriteItemsCommand';
}

/** A transaction that removes an item of a kind of partition: of `JOBS`, it runs a job. */
export function removes(partition: string) {
  return ({ name, input }: StoreCall): boolean => {
    const { TransactItems: items = [] } = input as { TransactItems?: { Delete?: object }[] };
    const removed = items.map(({ Delete }) => JSON.stringify(Delete ?? ''));
    return isCommit({ name, input }) && removed.some((text) => text.includes(`#${partition}#`));
  };
}
