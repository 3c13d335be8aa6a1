import { interceptCalls } from '../../../shared/store/table/aws-client.ts';
import '../world/merchant.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');

/** Null stands for a call without a fault. */
type Fault = 'answer lost' | Error | null;

let injected = { operation: 'none', faults: [] as readonly Fault[], calls: 0 };

// Within the client's own retries, so that these are tried too.
interceptCalls(dynamodb, async (call, next) => {
  const now = injected;
  if (call.operation !== now.operation) {
    return next();
  }
  const fault = now.faults[now.calls];
  now.calls += 1;
  if (fault instanceof Error) {
    throw fault;
  }
  const answer = await next();
  if (fault === 'answer lost') {
    throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
  }
  return answer;
});

/** Injects faults into the first calls of an operation: the response is lost after the effect, or the call fails. */
export function injectFaults(operation: string, faults: readonly Fault[]): { readonly calls: () => number } {
  const own = { operation, faults, calls: 0 };
  injected = own;
  return { calls: () => own.calls };
}

let meeting = { operation: 'none', howMany: 0, arrived: 0, all: Promise.withResolvers<void>() };

interceptCalls(dynamodb, async (call, next) => {
  const answer = await next();
  const now = meeting;
  if (call.operation === now.operation) {
    now.arrived += 1;
    if (now.arrived === now.howMany) {
      now.all.resolve();
    }
    await now.all.promise;
  }
  return answer;
});

/** Holds the responses of an operation until there are so many: all callers have then read the same state. */
export function meetAt(operation: string, howMany: number): void {
  meeting = { operation, howMany, arrived: 0, all: Promise.withResolvers<void>() };
}
