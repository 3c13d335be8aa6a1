import { FUNCTION_TIMEOUT_SECONDS, type Operation, pathParamsOf } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';

/** The part of a row that a method of the client needs. */
export interface ClientRow {
  readonly method: Operation['method'];
  readonly path: string;
  /** The number of ids in its path. */
  readonly ids: number;
  readonly idempotent: boolean;
  /** Where its fields are sent. */
  readonly sends: 'body' | 'query' | null;
  /** Whether it takes fields: a body may hold only the id of the path. */
  readonly takesFields: boolean;
  /** Whether it returns one page of a list. */
  readonly isList: boolean;
  /** The time limit of its function. */
  readonly runTimeMs: number;
}

const SECOND_MS = 1_000;

/**
 * The rows that need a key, by their names in the table, without schemas: plain data, which replaces this file in the
 * package (`npm run build:package`), since the schemas are most of the table.
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
