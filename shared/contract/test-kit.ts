import { readVariable } from '../environment/variables.ts';

/** Whether this deployment has the test kit: simulations, clock, seed, purge and sinks. */
export function hasTestKit(): boolean {
  return readVariable('testKit') !== 'off';
}

export function isOfTestKit(operationId: string): boolean {
  return operationId.startsWith('testkit.');
}
