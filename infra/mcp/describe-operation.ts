import type { OpenApiDocument } from '../../shared/contract/openapi-document.ts';
import { operations } from '../../shared/contract/operations.ts';
import { operationsIn } from '../../shared/docs/contents.ts';
import { inputSchemaOf, outputSchemaOf, successOf } from './operation-schemas.ts';
import type { OperationTool } from './tools.ts';

/**
 * All that the document says of the operation of a tool, also what the tool itself leaves out: the whole description,
 * the schemas of its arguments and of its result, and an example of its fields (null where it takes none) with the
 * result that the service gave.
 */
export function describeOperation({ name }: Pick<OperationTool, 'name'>, document: OpenApiDocument): object {
  const operation = operationsIn(document).get(name);
  if (operation === undefined) {
    throw new Error(`The document has no operation ${name}.`);
  }
  const { operationId, summary, description, method, path, requestBody, responses } = operation;
  return {
    tool: name,
    operation: operationId,
    title: summary,
    description,
    request: `${method} ${path}`,
    permission: operation['x-permission'],
    arguments: inputSchemaOf(operations[name], operation, document),
    result: outputSchemaOf(operation, document),
    example: {
      fields: requestBody?.content['application/json']?.example ?? null,
      result: successOf(responses)?.content?.['application/json']?.example ?? null,
    },
  };
}
