/** `off` in the environment of a deployment that has no test kit. */
export const TEST_KIT_VARIABLE = 'TEST_KIT';

/** Whether this deployment has the test kit: simulations, clock, seed, purge and sinks. */
export function hasTestKit(): boolean {
  return process.env[TEST_KIT_VARIABLE] !== 'off';
}

export function isOfTestKit(operationId: string): boolean {
  return operationId.startsWith('testkit.');
}
