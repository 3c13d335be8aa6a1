import type { Tool } from '@modelcontextprotocol/server';
import type { OpenApiDocument, SchemaInDocument } from '../../shared/contract/openapi-document.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { PlacedOperation } from '../../shared/docs/contents.ts';
import { nameIn } from '../../shared/docs/service-document.ts';

/** The argument of every tool that changes something, beside those of its operation. */
export const KEY_ARGUMENT = 'idempotency_key';

type Components = OpenApiDocument['components'];

/**
 * The arguments of a tool, as the document describes them: the ids of the path, the fields of the query or of the body,
 * and the Idempotency-Key, side by side. Conditions between fields are left to the service: models take no `anyOf` at
 * the root of a schema.
 */
export function inputSchemaOf(
  { bodyId }: Operation,
  { parameters, requestBody }: PlacedOperation,
  { components }: OpenApiDocument,
): Tool['inputSchema'] {
  const sent = parameters.map((parameter) =>
    parameter.$ref === undefined ? parameter : components.parameters[nameIn(parameter.$ref)],
  );
  const located = sent.flatMap((parameter) =>
    parameter?.in === 'path' || parameter?.in === 'query' ? [parameter] : [],
  );
  const key = sent.find((parameter) => parameter?.name === 'Idempotency-Key');
  const body = schemaOf(requestBody?.content, components.schemas);
  const fields = {
    ...Object.fromEntries(located.map(({ name, schema, description }) => [name, { ...schema, description }])),
    // The path has the id already.
    ...Object.fromEntries(Object.entries(body.properties ?? {}).filter(([name]) => name !== bodyId)),
    ...(key !== undefined && {
      [KEY_ARGUMENT]: {
        ...key.schema,
        description: 'To repeat a call that may have taken effect: the key of that call.',
      },
    }),
  };
  return {
    type: 'object',
    properties: inlined(fields, components.schemas),
    required: [
      ...located.filter(({ required }) => required).map(({ name }) => name),
      ...(body.required ?? []),
    ],
    additionalProperties: false,
  } as Tool['inputSchema'];
}

/** The body of the response, as the document describes it. It may get more fields. */
export function outputSchemaOf({ responses }: PlacedOperation, { components }: OpenApiDocument): object {
  const schema = schemaOf(successOf(responses)?.content, components.schemas);
  return inlined(schema, components.schemas) as object;
}

/** The response where nothing is refused. */
export function successOf(responses: PlacedOperation['responses']) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success;
}

function schemaOf(
  content: Readonly<Record<string, { readonly schema: SchemaInDocument }>> = {},
  schemas: Components['schemas'],
): SchemaInDocument {
  const schema = content['application/json']?.schema ?? {};
  return schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});
}

/** A schema with every referenced one in the place of its reference: not all hosts follow references. */
function inlined(part: unknown, schemas: Components['schemas']): unknown {
  if (Array.isArray(part)) {
    return part.map((inner) => inlined(inner, schemas));
  }
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  const { $ref, ...rest } = part as SchemaInDocument;
  const whole = $ref === undefined ? rest : { ...schemas[nameIn($ref)], ...rest };
  // What a discriminator maps to are references.
  const kept = Object.entries(whole).filter(([word]) => word !== 'discriminator' && word !== 'x-nullable');
  return Object.fromEntries(kept.map(([word, inner]) => [word, inlined(inner, schemas)]));
}
