import type { Operation } from '../../shared/contract/operation.ts';
import { type KeyedOperation, OPERATION_WORDS } from '../../shared/contract/operation-words.ts';
import { operations } from '../../shared/contract/operations.ts';
import {
  type ScenarioCall,
  SIMULATED,
  type SimulatedResource,
} from '../../shared/contract/testkit/scenarios.ts';

/** The operation of a call, by its command-line words; null for the page of a payment link. */
export function operationOf({
  call,
}: Pick<ScenarioCall, 'call'>): { name: KeyedOperation; row: Operation } | null {
  const name = OPERATION_WORDS[call.replace('.', ' ')];
  return name === undefined ? null : { name, row: operations[name] };
}

/** What a simulation is about. */
export function simulatedIn(simulate: Readonly<Record<string, unknown>>): SimulatedResource {
  const found = (Object.keys(SIMULATED) as SimulatedResource[]).find((resource) => resource in simulate);
  if (found === undefined) {
    throw new TypeError('the simulation has no subject');
  }
  return found;
}
