import { fieldAt } from './form-values.ts';
import type { AnyJson } from './gate.ts';
import type { Schema } from './read-operations.ts';

/** The problems of a refusal, by the path of the field that shows them. */
export function faultsOf(schema: Schema, problem: AnyJson): Record<string, string> {
  const errors: readonly { readonly field: string; readonly message: string }[] = problem?.errors ?? [];
  return Object.fromEntries(
    errors.flatMap(({ field, message }) => {
      const at = fieldAt(schema, field);
      return at === null ? [] : [[at, message] as const];
    }),
  );
}
