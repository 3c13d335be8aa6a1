import type { ConsoleOperation, Parameter, Schema } from '../../story/read-operations.ts';

/** The parameters of an operation in its path, its query or its headers, as a schema for a form; null if it has none there. */
export function parameterSchema(operation: ConsoleOperation, where: Parameter['in']): Schema | null {
  const parameters = operation.parameters.filter((parameter) => parameter.in === where);
  if (parameters.length === 0) {
    return null;
  }
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}
