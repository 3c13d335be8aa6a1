import type { Tool } from '@modelcontextprotocol/server';
import { type ClientRow, clientRows } from '../../shared/client/client-rows.ts';
import type { OperationName } from '../../shared/client/method.ts';
import type { OpenApiDocument } from '../../shared/contract/openapi-document.ts';
import { pathParamsOf } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { operationsIn, type PlacedOperation } from '../../shared/docs/contents.ts';
import { inputSchemaOf } from './operation-schemas.ts';
import { shortSchema } from './short-schema.ts';
import { shortText } from './short-text.ts';
import { groupOf, TOOL_GROUPS } from './tool-groups.ts';

const CREATED = 201;
/** Of what a tool says of itself. Its resource has the rest. */
const DESCRIPTION_MAX_CHARS = 280;

/** A tool, and how its arguments become a call of the client. */
export interface OperationTool {
  readonly name: OperationName;
  readonly row: ClientRow;
  /** The arguments that are ids of the path, in their order. */
  readonly ids: readonly string[];
  readonly tool: Tool;
}

/**
 * One tool for each operation that needs a key, in the words of the document. Its name is that of the client's method
 * and not the operation's id: several hosts take only letters, digits, `_` and `-`, so they refuse the dot of the id.
 * @param groups whose tools are made
 */
export function toolsOf(
  document: OpenApiDocument,
  groups: readonly string[] = TOOL_GROUPS,
): ReadonlyMap<string, OperationTool> {
  const documented = operationsIn(document);
  const rows = Object.entries(clientRows) as [OperationName, ClientRow][];
  const tools = rows.flatMap(([name, row]) => {
    const operation = documented.get(name);
    const isChosen = groups.includes(groupOf(operations[name]));
    return operation === undefined || !isChosen ? [] : [toolOf(name, row, operation, document)];
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
    // What a result has is in the resource of the operation: the schemas of results would be most of the list.
    tool: {
      name,
      title: summary,
      description: shortText(`${summary}. ${description}`.trim(), DESCRIPTION_MAX_CHARS),
      inputSchema: shortSchema(inputSchemaOf(operations[name], operation, document)),
      annotations: {
        readOnlyHint: row.method === 'GET',
        // What only creates something changes nothing that is there.
        destructiveHint: row.method !== 'GET' && operations[name].success.status !== CREATED,
        // Each call has an Idempotency-Key of its own: a second one takes effect too, unless HTTP says otherwise.
        idempotentHint: row.method === 'GET' || row.method === 'DELETE',
      },
    },
  };
}
