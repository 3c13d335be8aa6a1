import type { Schema } from '../../story/read-operations.ts';
import { fieldAt } from '../call/form-values.ts';
import type { ShownProblem } from '../call/gate.ts';

/** The problems of a refusal, by the path of the field that shows them. */
export function faultsOf(schema: Schema, problem: ShownProblem | null): Record<string, string> {
  const errors = problem?.errors ?? [];
  return Object.fromEntries(
    errors.flatMap(({ field, message }) => {
      const at = fieldAt(schema, field);
      return at === null ? [] : [[at, message] as const];
    }),
  );
}
