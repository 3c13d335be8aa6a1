import type { AnyJson } from './any-json.ts';

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
  readonly id: string;
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
export function readOperations(openApi: AnyJson): ConsoleOperation[] {
  const find = (reference: string): AnyJson =>
    reference
      .slice(2)
      .split('/')
      .reduce((found: AnyJson, step) => found[step], openApi);
  /** A form shows the fields of every variant. The service refuses fields that do not go together. */
  const withVariants = (schema: AnyJson): AnyJson => {
    if (!Array.isArray(schema.oneOf)) {
      return schema;
    }
    const { propertyName } = schema.discriminator;
    const all: AnyJson[] = schema.oneOf.map(({ properties }: AnyJson) => properties);
    const choices = all.flatMap((properties) => properties[propertyName].enum);
    const type = { ...all[0][propertyName], enum: choices };
    return {
      type: 'object',
      properties: { ...Object.assign({}, ...all), [propertyName]: type },
      required: [propertyName],
    };
  };
  /** A part of the document with all references resolved. */
  const resolve = (place: AnyJson): AnyJson => {
    if (typeof place !== 'object' || place === null) {
      return place;
    }
    if (Array.isArray(place)) {
      return place.map(resolve);
    }
    const { $ref, ...documented } = place;
    const own = Object.entries(documented).map(([word, inner]) => [word, resolve(inner)]);
    return withVariants({ ...($ref !== undefined && resolve(find($ref))), ...Object.fromEntries(own) });
  };
  const readOne = (path: string, method: string, documented: AnyJson): ConsoleOperation => {
    const parameters: Parameter[] = (documented.parameters ?? []).map(resolve);
    const content = documented.requestBody?.content['application/json'];
    return {
      id: documented.operationId,
      method: method.toUpperCase(),
      path,
      area: documented.tags[0],
      summary: documented.summary,
      description: documented.description ?? '',
      permission: documented['x-permission'] ?? null,
      parameters,
      isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
      body: content === undefined ? null : resolve(content.schema),
      example: content?.example ?? {},
    };
  };
  return Object.entries<object>(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => readOne(path, method, documented)),
  );
}
