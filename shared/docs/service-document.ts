import { buildOpenApi } from '../contract/openapi.ts';
import { servedOperations } from '../contract/operations.ts';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface SchemaInDocument {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: SchemaInDocument;
  readonly anyOf?: readonly SchemaInDocument[];
  readonly oneOf?: readonly SchemaInDocument[];
  readonly properties?: Readonly<Record<string, SchemaInDocument>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaInDocument;
}

interface DocumentParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: SchemaInDocument;
}

interface Content {
  readonly schema: SchemaInDocument;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface DocumentAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-permission'?: string;
  readonly parameters: readonly DocumentParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentAnswer>>;
}

/** The parts of the OpenAPI document that the documentation shows. */
export interface ServiceDocument {
  readonly servers: readonly [{ readonly url: string }];
  readonly info: { readonly summary: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaInDocument>>;
    readonly parameters: Readonly<Record<string, DocumentParameter>>;
    readonly examples: Readonly<Record<string, { readonly value: object }>>;
  };
}

let built: ServiceDocument | undefined;

/** The document of this deployment. It is built once: a deployment has one base URL. */
export function documentAt(baseUrl: string): ServiceDocument {
  if (built?.servers[0].url !== baseUrl) {
    built = buildOpenApi(baseUrl, servedOperations()) as unknown as ServiceDocument;
  }
  return built;
}

/** `Payment` of `#/components/schemas/Payment`. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
