import { onTestFinished } from 'vitest';
import './merchant.ts';

const { dynamodb } = await import('../../shared/store/client.ts');

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Adds up what the calls of this process cost the store, as the store says it. @returns the units since the last time */
export function countUnits(): () => number {
  let units = 0;
  const stop = dynamodb.use(async (call, next) => {
    const input = { ...call.input, ReturnConsumedCapacity: 'TOTAL' };
    const output: { ConsumedCapacity?: Capacity | Capacity[] } = await next({ ...call, input });
    for (const { CapacityUnits = 0 } of [output.ConsumedCapacity ?? []].flat()) {
      units += CapacityUnits;
    }
    return output;
  });
  onTestFinished(stop);
  return () => {
    const counted = units;
    units = 0;
    return counted;
  };
}
