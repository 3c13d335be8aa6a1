import './merchant.ts';

const { dynamodb } = await import('../../shared/store/client.ts');

/** Null is none. */
type Fault = 'answer lost' | Error | null;

/** Lets the first calls of a command go wrong: the answer is lost after the work was done, or the call fails. */
export function injectFaults(
  commandName: string,
  faults: readonly Fault[],
): { readonly calls: () => number } {
  let calls = 0;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== commandName) {
        return next(args);
      }
      const fault = faults[calls];
      calls += 1;
      if (fault instanceof Error) {
        throw fault;
      }
      const answer = await next(args);
      if (fault === 'answer lost') {
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
      }
      return answer;
    },
    // Below the SDK's own retries, so that they are what is tried.
    { step: 'deserialize', priority: 'low', name: 'faults', override: true },
  );
  return { calls: () => calls };
}

/** Holds the responses of a command until so many have come: all callers have then seen the same. */
export function meetAt(commandName: string, howMany: number): void {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (context.commandName === commandName) {
        arrived += 1;
        if (arrived === howMany) {
          all.resolve();
        }
        await all.promise;
      }
      return answer;
    },
    { step: 'deserialize', priority: 'low', name: 'meeting', override: true },
  );
}
