import { allOperations } from '../../../shared/contract/operations.ts';

/** Every field of the query of a list: the operation's id, the field, and the operation. */
export const QUERY_FIELDS = allOperations.flatMap((row) => {
  const { entries = {} } = (row.query ?? {}) as { readonly entries?: object };
  return row.path.includes('{') ? [] : Object.keys(entries).map((field) => [row.id, field, row] as const);
});
