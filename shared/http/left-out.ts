import type { AnySchema } from '../contract/fields.ts';
import type { SchemaParts } from './field-errors.ts';

/**
 * A body without the optional fields that are null: many clients send null for a field that is not set (contract §2).
 * Null stays where it is a value of its own, as in metadata, and where a field is required.
 */
export function withoutNulls(schema: AnySchema | undefined, value: unknown): unknown {
  const { wrapped, entries } = (schema ?? {}) as Partial<SchemaParts>;
  if (wrapped !== undefined) {
    return withoutNulls(wrapped, value);
  }
  if (entries === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  // Names that the schema does not list can be inherited ones, such as `constructor`.
  const schemaOf = (name: string) => (Object.hasOwn(entries, name) ? entries[name] : undefined);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => field !== null || schemaOf(name)?.type !== 'optional')
      .map(([name, field]) => [name, withoutNulls(schemaOf(name), field)]),
  );
}
