import { readFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';

interface Operation {
  readonly responses: Readonly<Record<string, { content: { 'application/json': { schema: object } } }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
}

const FORM_OF_EVENT = '#/components/schemas/event';

/** Validates responses by Stripe's published OpenAPI document. */
export interface StripeDocument {
  /** @returns the errors of a response, or null */
  faultInAnswer(request: { method: string; path: string }, status: number, body: unknown): string | null;
  /** @returns the errors of an event, or null */
  faultInEvent(event: unknown): string | null;
}

const documents = new Map<string, Promise<StripeDocument>>();

/** @param file the document: it is large, and read once */
export function stripeDocument(file: string): Promise<StripeDocument> {
  const document = documents.get(file) ?? readDocument(file);
  documents.set(file, document);
  return document;
}

async function readDocument(file: string): Promise<StripeDocument> {
  const document = asJsonSchema(JSON.parse(await readFile(file, 'utf8'))) as Document;
  // Without its own check of the schemas: they are OpenAPI's, with more words than JSON Schema has.
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, inlineRefs: false });
  ajv.addSchema(document, 'stripe');
  const validators = new Map<string, ValidateFunction>();
  const faultIn = (key: string, schema: object, value: unknown) => {
    const validate = validators.get(key) ?? ajv.compile(schema);
    validators.set(key, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    form: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  return {
    faultInAnswer({ method, path }, status, body) {
      // One that names a segment comes before one that takes any.
      const [fits] = paths
        .filter(({ form }) => form.test(path))
        .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
      const responses = fits && document.paths[fits.path]?.[method.toLowerCase()]?.responses;
      const response = responses?.[String(status)] ?? responses?.default;
      if (response === undefined) {
        return `The document has no answer ${status} of ${method} ${path}.`;
      }
      const { schema } = response.content['application/json'];
      return faultIn(JSON.stringify(schema), withRefs(schema), body);
    },
    faultInEvent: (event) => faultIn(FORM_OF_EVENT, withRefs({ $ref: FORM_OF_EVENT }), event),
  };
}

/** OpenAPI 3.0 in the words of JSON Schema. What can be expanded is an id here: no request expands it. */
function asJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(asJsonSchema);
  }
  if (node === null || typeof node !== 'object') {
    return node;
  }
  const { nullable, ...schema } = node as Record<string, unknown>;
  const { anyOf } = schema;
  if ('x-expansionResources' in schema && Array.isArray(anyOf)) {
    schema.anyOf = anyOf.filter((one) => !('$ref' in one));
  }
  const plain = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, asJsonSchema(value)]));
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}

/** A part of the document, that can be read apart from it. */
function withRefs(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"stripe#/'));
}
