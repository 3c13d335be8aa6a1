/** The part of JSON Schema that the OpenAPI document uses. */
export interface SchemaInDocument {
  readonly $ref?: string;
  readonly description?: string | undefined;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly items?: SchemaInDocument;
  readonly anyOf?: readonly SchemaInDocument[];
  readonly oneOf?: readonly SchemaInDocument[];
  readonly properties?: Readonly<Record<string, SchemaInDocument>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaInDocument;
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping?: Readonly<Record<string, string>>;
  };
}

interface DocumentParameter {
  readonly $ref?: undefined;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly schema: SchemaInDocument;
  readonly example?: string;
}

/** The name of a parameter of `components`. */
interface ParameterReference {
  readonly $ref: string;
  readonly name?: undefined;
  readonly in?: undefined;
}

export interface Content {
  readonly schema: SchemaInDocument;
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly summary?: string; readonly value?: unknown; readonly $ref?: string }>
  >;
}

export interface DocumentResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly 'x-permission'?: string;
  readonly parameters: readonly (DocumentParameter | ParameterReference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentResponse>>;
}

interface DocumentedWebhook extends DocumentedOperation {
  readonly parameters: readonly DocumentParameter[];
}

/** The OpenAPI document of the service, as far as programs here read it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly [{ readonly url: string; readonly description: string }];
  readonly security: readonly object[];
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: object;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedWebhook }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaInDocument>>;
    readonly parameters: Readonly<Record<string, DocumentParameter>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly examples: Readonly<Record<string, { readonly value: object }>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}
