import type { Tool } from '@modelcontextprotocol/server';
import { type ClientRow, clientRows } from '../../shared/client/client-rows.ts';
import type { OperationName } from '../../shared/client/method.ts';
import type { OpenApiDocument, SchemaInDocument } from '../../shared/contract/openapi-document.ts';
import { type Operation, pathParamsOf } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { operationsIn, type PlacedOperation } from '../../shared/docs/contents.ts';
import { nameIn } from '../../shared/docs/service-document.ts';

/** The argument of every tool that changes something, beside those of its operation. */
export const KEY_ARGUMENT = 'idempotency_key';

const CREATED = 201;

/** A tool, and how its arguments become a call of the client. */
export interface OperationTool {
  readonly name: OperationName;
  readonly row: ClientRow;
  /** The arguments that are ids of the path, in their order. */
  readonly ids: readonly string[];
  readonly tool: Tool;
}

/**
 * One tool for each operation that needs a key, as the document describes it. Its name is that of the client's method
 * and not the operation's id: several hosts take only letters, digits, `_` and `-`, so they refuse the dot of the id.
 */
export function toolsOf(document: OpenApiDocument): ReadonlyMap<string, OperationTool> {
  const documented = operationsIn(document);
  const tools = Object.entries(clientRows).flatMap(([name, row]) => {
    const operation = documented.get(name);
    return operation === undefined ? [] : [toolOf(name as OperationName, row, operation, document)];
  });
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function toolOf(
  name: OperationName,
  row: ClientRow,
  operation: PlacedOperation,
  document: OpenApiDocument,
): OperationTool {
  const { summary, description = '' } = operation;
  return {
    name,
    row,
    ids: pathParamsOf(operations[name]),
    tool: {
      name,
      title: summary,
      description: `${summary}. ${description}`.trim(),
      inputSchema: inputSchemaOf(operations[name], operation, document),
      outputSchema: outputSchemaOf(operation, document),
      annotations: {
        title: summary,
        readOnlyHint: row.method === 'GET',
        // What only creates something changes nothing that is there.
        destructiveHint: row.method !== 'GET' && operations[name].success.status !== CREATED,
        // Each call has an Idempotency-Key of its own: a second one takes effect too, unless HTTP says otherwise.
        idempotentHint: row.method === 'GET' || row.method === 'DELETE',
      },
    },
  };
}

/**
 * The ids of the path, the fields of the query or of the body, and the Idempotency-Key, side by side. Conditions between
 * fields are left to the service: models take no `anyOf` at the root of a schema.
 */
function inputSchemaOf(
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
        description:
          'Optional: a new one by default. To repeat a call that may have taken effect, the one of that call.',
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

/** The body of the response. It may get more fields. */
function outputSchemaOf(
  { responses }: PlacedOperation,
  { components }: OpenApiDocument,
): NonNullable<Tool['outputSchema']> {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return inlined(schemaOf(success?.content, components.schemas), components.schemas) as NonNullable<
    Tool['outputSchema']
  >;
}

function schemaOf(
  content: Readonly<Record<string, { readonly schema: SchemaInDocument }>> = {},
  schemas: OpenApiDocument['components']['schemas'],
): SchemaInDocument {
  const schema = content['application/json']?.schema ?? {};
  return schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});
}

/** A schema with every referenced one in the place of its reference: not all hosts follow references. */
function inlined(part: unknown, schemas: OpenApiDocument['components']['schemas']): unknown {
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
