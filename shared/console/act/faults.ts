import type { AnyJson } from '../../story/any-json.ts';
import type { Schema } from '../../story/read-operations.ts';
import { fieldAt } from '../call/form-values.ts';

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
