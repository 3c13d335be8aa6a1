import * as v from 'valibot';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { FieldError } from '../../../shared/errors/field-error.ts';
import { toFieldErrors } from '../../../shared/http/field-errors.ts';

type Schema = NonNullable<Operation['body']>;

/** What a body is refused for, as the schema alone sees it. JSON text is parsed as the service parses it. */
export function fieldErrorsOf(row: Operation, body: unknown): FieldError[] {
  return check(bodySchema(row), body).errors;
}

/** Lists the refusals as `field: code`, in the order of the alphabet. */
export function refusalsOf(row: Operation, body: unknown): string[] {
  return inShort(fieldErrorsOf(row, body));
}

/** What a query is refused for. */
export function queryRefusalsOf(row: Operation, query: Readonly<Record<string, string>>): string[] {
  return inShort(check(querySchema(row), query).errors);
}

export function inShort(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, code }) => `${field}: ${code}`).toSorted();
}

/** A body that the schema lets through, as the operation is given it. */
export function acceptedBody(row: Operation, body: unknown): Record<string, unknown> {
  return accept(bodySchema(row), body);
}

/** A query that the schema lets through, as the operation is given it. */
export function acceptedQuery(
  row: Operation,
  query: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return accept(querySchema(row), query);
}

function bodySchema({ id, body }: Operation): Schema {
  if (body === undefined) {
    throw new Error(`${id} takes no body`);
  }
  return body;
}

function querySchema({ id, query }: Operation): Schema {
  if (query === undefined) {
    throw new Error(`${id} takes no query`);
  }
  return query;
}

function check(schema: Schema, value: unknown): { output: unknown; errors: FieldError[] } {
  const sent = typeof value === 'string' ? JSON.parse(value) : value;
  const { output, issues } = v.safeParse(schema, sent);
  return { output, errors: toFieldErrors(schema, issues ?? [], sent) };
}

function accept(schema: Schema, value: unknown): Record<string, unknown> {
  const { output, errors } = check(schema, value);
  if (errors.length > 0) {
    throw new Error(`it is refused: ${inShort(errors).join(', ')}`);
  }
  return output as Record<string, unknown>;
}
