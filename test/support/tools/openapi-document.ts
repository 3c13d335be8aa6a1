import { buildOpenApi } from '../../../shared/contract/openapi.ts';
import type { Operation } from '../../../shared/contract/operation.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}
type Reference = { readonly $ref: string };
export interface Answer {
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Readonly<
    Record<
      string,
      { schema: object; example?: unknown; examples?: Record<string, Reference | { value: object }> }
    >
  >;
}
export interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    required: boolean;
    content: Record<string, { schema: Reference; example?: object }>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document {
  readonly servers: readonly { url: string }[];
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, { post?: Described }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { properties?: Record<string, unknown>; required?: string[] }>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export const PROBLEM = 'application/problem+json';
export const BASE_URL = 'https://pay.example.org/live';

export const text = JSON.stringify(buildOpenApi(BASE_URL));
// The document as its readers get it: as JSON.
export const document = JSON.parse(text) as Document;

export function describedAs(row: Operation): Described {
  const described = document.paths[row.path]?.[row.method.toLowerCase()];
  if (described === undefined) {
    throw new Error(`the document has no ${row.method} ${row.path}`);
  }
  return described;
}

export function follow<T extends object>(index: T | Reference): T {
  if (!('$ref' in index)) {
    return index;
  }
  const steps = index.$ref.replace('#/', '').split('/');
  return steps.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], document) as T;
}

export function parametersOf(row: Operation, where: string): Parameter[] {
  return describedAs(row)
    .parameters.map((parameter) => follow<Parameter>(parameter as Parameter))
    .filter((parameter) => parameter.in === where);
}

export interface Text {
  readonly description?: string;
}

/** The parts of a schema that these tests check. */
export interface Schema extends Text {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Record<string, string> };
  readonly oneOf?: readonly Schema[];
}
