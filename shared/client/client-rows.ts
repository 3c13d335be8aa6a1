import { FUNCTION_TIMEOUT_SECONDS, type Operation, pathParamsOf } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';

/** What a method of the client knows of its row. */
export interface ClientRow {
  readonly method: Operation['method'];
  readonly path: string;
  /** How many ids its path takes. */
  readonly ids: number;
  readonly idempotent: boolean;
  /** Where its fields go. */
  readonly sends: 'body' | 'query' | null;
  /** Whether it takes fields: a body may hold nothing but the id of the path. */
  readonly takesFields: boolean;
  /** Whether it answers one page of a list. */
  readonly isList: boolean;
  /** How long its function may run. */
  readonly runTimeMs: number;
}

const SECOND_MS = 1_000;

/**
 * The rows that take a key, by their names in the table, without schemas: plain data, which stands in the place of this
 * file in the package (`npm run build:client`), for the schemas are most of the table.
 */
export const clientRows: Readonly<Record<string, ClientRow>> = Object.fromEntries(
  Object.entries<Operation>(operations)
    .filter(([, { permission }]) => permission !== null)
    .map(([name, row]) => [name, clientRowOf(row)]),
);

function clientRowOf(row: Operation): ClientRow {
  const { method, path, idempotent, body, query, bodyId, success } = row;
  return {
    method,
    path,
    ids: pathParamsOf(row).length,
    idempotent,
    sends: body !== undefined ? 'body' : query !== undefined ? 'query' : null,
    takesFields: fieldsOf(body ?? query).some((name) => name !== bodyId),
    isList: 'schema' in success && fieldsOf(success.schema).includes('next_cursor'),
    runTimeMs: (row.timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS) * SECOND_MS,
  };
}

function fieldsOf(schema: object | undefined): string[] {
  return schema !== undefined && 'entries' in schema ? Object.keys(schema.entries as object) : [];
}
