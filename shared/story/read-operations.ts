import type { DocumentedOperation, OpenApiDocument, SchemaInDocument } from '../contract/openapi-document.ts';
import type { OperationId } from './operation-id.ts';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

/** An operation as the OpenAPI document describes it. */
export interface ConsoleOperation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly area: string;
  readonly summary: string;
  readonly description: string;
  /** Null: it needs no key. */
  readonly permission: string | null;
  readonly parameters: readonly Parameter[];
  readonly isIdempotent: boolean;
  readonly body: Schema | null;
  readonly example: Readonly<Record<string, unknown>>;
}

/** Every operation of this service's OpenAPI document, in its order. */
export function readOperations(openApi: OpenApiDocument): ConsoleOperation[] {
  const find = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((found, step) => Object(found)[step], openApi);
  /** A part of the document with all references resolved. */
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    if (Array.isArray(value)) {
      return value.map(resolve);
    }
    const { $ref, ...documented }: SchemaInDocument = value;
    const own = Object.entries(documented).map(([word, inner]) => [word, resolve(inner)]);
    return withVariants({
      ...($ref !== undefined && Object(resolve(find($ref)))),
      ...Object.fromEntries(own),
    });
  };
  const readOne = (path: string, method: string, documented: DocumentedOperation): ConsoleOperation => {
    const parameters = documented.parameters.map((parameter) => resolve(parameter) as Parameter);
    const content = documented.requestBody?.content['application/json'];
    return {
      id: documented.operationId as OperationId,
      method: method.toUpperCase(),
      path,
      area: documented.tags[0] ?? '',
      summary: documented.summary,
      description: documented.description ?? '',
      permission: documented['x-permission'] ?? null,
      parameters,
      isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
      body: content === undefined ? null : (resolve(content.schema) as Schema),
      example: Object(content?.example ?? {}),
    };
  };
  return Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => readOne(path, method, documented)),
  );
}

/** A form shows the fields of every variant. The service refuses fields that do not go together. */
function withVariants(schema: SchemaInDocument): SchemaInDocument {
  const { oneOf, discriminator } = schema;
  if (oneOf === undefined || discriminator === undefined) {
    return schema;
  }
  const { propertyName } = discriminator;
  const all = oneOf.map(({ properties = {} }) => properties);
  const choices = all.flatMap((properties) => properties[propertyName]?.enum ?? []);
  const type = { ...all[0]?.[propertyName], enum: choices };
  const properties = { ...Object.assign({}, ...all), [propertyName]: type };
  return { type: 'object', properties, required: [propertyName] };
}
