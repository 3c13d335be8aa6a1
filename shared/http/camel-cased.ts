import type { AnySchema } from '../contract/fields.ts';
import type { SchemaParts } from './field-errors.ts';

/** `delivery_id` → `deliveryId`. */
export type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A checked value with the domain's names. Maps such as `metadata` keep the keys that the merchant chose. */
export type CamelCased<Value> = Value extends object
  ? Value extends readonly unknown[]
    ? Value
    : string extends keyof Value
      ? Value
      : { readonly [Name in keyof Value as CamelCase<Name>]: CamelCased<Value[Name]> }
  : Value;

export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}

/** The value that a schema made, with the domain's names for the fields that the schema lists. */
export function camelCased(schema: AnySchema | undefined, value: unknown): unknown {
  const { wrapped, entries } = (schema ?? {}) as Partial<SchemaParts>;
  if (wrapped !== undefined) {
    return camelCased(wrapped, value);
  }
  return entries === undefined || typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, field]) => [camelCase(name), camelCased(entries[name], field)]),
      );
}
