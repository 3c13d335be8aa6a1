import { onTestFinished } from 'vitest';
import './merchant.ts';

const { dynamodb } = await import('../../../shared/store/table/client.ts');

const COUNTS = 'counts units';

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Adds up what the calls of this process cost the store, as the store says it. @returns the units since the last time */
export function countUnits(): () => number {
  let units = 0;
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
      for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) {
        units += CapacityUnits;
      }
      return result;
    },
    { step: 'initialize', name: COUNTS },
  );
  onTestFinished(() => {
    dynamodb.middlewareStack.remove(COUNTS);
  });
  return () => {
    const counted = units;
    units = 0;
    return counted;
  };
}
