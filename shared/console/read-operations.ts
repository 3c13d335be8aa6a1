/** The part of JSON Schema that the document uses. */
export interface Schema {
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
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
export function readOperations(openApi: any): ConsoleOperation[] {
  // biome-ignore lint/suspicious/noExplicitAny: a part of it
  const find = (reference: string): any =>
    reference
      .slice(2)
      .split('/')
      // biome-ignore lint/suspicious/noExplicitAny: a part of it
      .reduce((found: any, step) => found[step], openApi);
  /** A form shows the fields of every variant. The service refuses fields that do not go together. */
  // biome-ignore lint/suspicious/noExplicitAny: a part of it
  const withVariants = (schema: any): any => {
    if (!Array.isArray(schema.oneOf)) {
      return schema;
    }
    const { propertyName } = schema.discriminator;
    // biome-ignore lint/suspicious/noExplicitAny: a part of it
    const all: any[] = schema.oneOf.map(({ properties }: any) => properties);
    const choices = all.flatMap((properties) => properties[propertyName].enum);
    const type = { ...all[0][propertyName], enum: choices };
    return {
      type: 'object',
      properties: { ...Object.assign({}, ...all), [propertyName]: type },
      required: [propertyName],
    };
  };
  /** A part of the document with all references resolved. */
  // biome-ignore lint/suspicious/noExplicitAny: a part of it
  const resolve = (place: any): any => {
    if (typeof place !== 'object' || place === null) {
      return place;
    }
    if (Array.isArray(place)) {
      return place.map(resolve);
    }
    const { $ref, ...said } = place;
    const own = Object.entries(said).map(([word, inner]) => [word, resolve(inner)]);
    return withVariants({ ...($ref !== undefined && resolve(find($ref))), ...Object.fromEntries(own) });
  };
  // biome-ignore lint/suspicious/noExplicitAny: a part of it
  const readOne = (path: string, method: string, said: any): ConsoleOperation => {
    const parameters: Parameter[] = (said.parameters ?? []).map(resolve);
    const content = said.requestBody?.content['application/json'];
    return {
      id: said.operationId,
      method: method.toUpperCase(),
      path,
      area: said.tags[0],
      summary: said.summary,
      description: said.description ?? '',
      permission: said['x-permission'] ?? null,
      parameters,
      isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
      body: content === undefined ? null : resolve(content.schema),
      example: content?.example ?? {},
    };
  };
  return Object.entries<object>(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, said]) => readOne(path, method, said)),
  );
}
